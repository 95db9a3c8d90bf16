/** Tests of scripts: {@code cluster}, with load through its balancer, {@code aot}, and {@code test --long}. */
@NullMarked
package io.alphaomega.benchmark.cluster;

import org.jspecify.annotations.NullMarked;
