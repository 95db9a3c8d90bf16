@NullMarked
package io.alphaomega.server.turn;

import org.jspecify.annotations.NullMarked;
