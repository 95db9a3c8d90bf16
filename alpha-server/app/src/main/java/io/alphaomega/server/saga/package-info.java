/** The shell around the rules: one actor per saga behind cluster sharding, and the way to it. */
@NullMarked
package io.alphaomega.server.saga;

import org.jspecify.annotations.NullMarked;
