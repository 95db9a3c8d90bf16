/** Tests of the conversation with omegas, most of them over a real stream. */
@NullMarked
package io.alphaomega.server.stream;

import org.jspecify.annotations.NullMarked;
