/** Tests of what is in {@code docker}, which need no container engine. */
@NullMarked
package io.alphaomega.benchmark.container;

import org.jspecify.annotations.NullMarked;
