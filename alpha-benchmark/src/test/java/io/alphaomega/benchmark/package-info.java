@NullMarked
package io.alphaomega.benchmark;

import org.jspecify.annotations.NullMarked;
