/** Redis behind the fence. */
@NullMarked
package io.alphaomega.omega.redis;

import org.jspecify.annotations.NullMarked;
