/** Tests of {@code scripts/cluster}, with load through its balancer. */
@NullMarked
package io.alphaomega.benchmark.cluster;

import org.jspecify.annotations.NullMarked;
