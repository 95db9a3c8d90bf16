/** Between the rules' vocabulary and protobuf: what omegas say and hear, and what alpha nodes tell each other. */
@NullMarked
package io.alphaomega.server.wire;

import org.jspecify.annotations.NullMarked;
