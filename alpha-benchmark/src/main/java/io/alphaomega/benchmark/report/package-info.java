/** What a run came to: the report, its forms (JSON, CSV, HDR log, page), what is shown meanwhile, and comparisons. */
@NullMarked
package io.alphaomega.benchmark.report;

import org.jspecify.annotations.NullMarked;
