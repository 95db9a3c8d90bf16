@NullMarked
package io.alphaomega.benchmark.preset;

import org.jspecify.annotations.NullMarked;
