@NullMarked
package io.alphaomega.benchmark.agent;

import org.jspecify.annotations.NullMarked;
