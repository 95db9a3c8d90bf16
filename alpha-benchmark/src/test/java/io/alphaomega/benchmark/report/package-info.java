/** Reports of real histograms, in a real browser, of real processes. */
@NullMarked
package io.alphaomega.benchmark.report;

import org.jspecify.annotations.NullMarked;
