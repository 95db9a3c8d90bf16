/** How far the store has come, so that a store that was set back to an earlier time is noticed. */
@NullMarked
package io.alphaomega.server.epoch;

import org.jspecify.annotations.NullMarked;
