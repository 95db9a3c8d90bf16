/** What a load came to: counts, latencies, outages, and whether the books agree. Values that others make, merge and show. */
@NullMarked
package io.alphaomega.benchmark.measure;

import org.jspecify.annotations.NullMarked;
