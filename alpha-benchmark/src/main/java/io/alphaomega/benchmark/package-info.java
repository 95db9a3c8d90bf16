/** The command line of alpha-benchmark. */
@NullMarked
package io.alphaomega.benchmark;

import org.jspecify.annotations.NullMarked;
