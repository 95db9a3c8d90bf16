@NullMarked
package io.alphaomega.server.wire;

import org.jspecify.annotations.NullMarked;
