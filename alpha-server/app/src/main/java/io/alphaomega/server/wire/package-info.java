/** What alpha nodes tell each other, in protobuf, and answers as they are written to omegas. */
@NullMarked
package io.alphaomega.server.wire;

import org.jspecify.annotations.NullMarked;
