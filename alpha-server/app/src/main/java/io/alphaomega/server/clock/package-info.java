/** The node's clock. */
@NullMarked
package io.alphaomega.server.clock;

import org.jspecify.annotations.NullMarked;
