/** What a load is to be: its shape, its rate, and everything about each saga that is decided before it begins. */
@NullMarked
package io.alphaomega.benchmark.plan;

import org.jspecify.annotations.NullMarked;
