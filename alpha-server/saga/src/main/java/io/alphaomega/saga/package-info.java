/** The rules of a saga: four pure functions over immutable values. No clock, no I/O, no threads, no configuration. */
@NullMarked
package io.alphaomega.saga;

import org.jspecify.annotations.NullMarked;
