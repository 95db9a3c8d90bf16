/** A bank: a teller who transfers money between accounts that different services keep. */
@NullMarked
package io.alphaomega.samples.bank;

import org.jspecify.annotations.NullMarked;
