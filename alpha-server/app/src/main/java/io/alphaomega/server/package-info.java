/** The alpha server: start and stop, configuration, and what it tells people while doing so. */
@NullMarked
package io.alphaomega.server;

import org.jspecify.annotations.NullMarked;
