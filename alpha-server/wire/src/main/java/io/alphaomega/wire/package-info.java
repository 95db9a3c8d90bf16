/** Between the rules' vocabulary and the protocol's: what omegas say, and what they are told. */
@NullMarked
package io.alphaomega.wire;

import org.jspecify.annotations.NullMarked;
