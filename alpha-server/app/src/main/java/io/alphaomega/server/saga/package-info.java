/** The shell around the rules: one actor per saga behind cluster sharding, and what wakes it. */
@NullMarked
package io.alphaomega.server.saga;

import org.jspecify.annotations.NullMarked;
