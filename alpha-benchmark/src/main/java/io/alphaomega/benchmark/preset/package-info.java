/** The published tables of the field, made again: {@code preset pack} and {@code preset dtm}. */
@NullMarked
package io.alphaomega.benchmark.preset;

import org.jspecify.annotations.NullMarked;
