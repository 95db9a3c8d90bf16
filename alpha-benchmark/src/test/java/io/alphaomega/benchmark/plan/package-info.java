@NullMarked
package io.alphaomega.benchmark.plan;

import org.jspecify.annotations.NullMarked;
