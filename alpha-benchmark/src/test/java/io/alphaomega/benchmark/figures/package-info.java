@NullMarked
package io.alphaomega.benchmark.figures;

import org.jspecify.annotations.NullMarked;
