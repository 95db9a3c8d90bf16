@NullMarked
package io.alphaomega.benchmark.load;

import org.jspecify.annotations.NullMarked;
