/** Simulated omegas: what load they make, what they measure, and what they saw of each saga. */
@NullMarked
package io.alphaomega.benchmark.load;

import org.jspecify.annotations.NullMarked;
