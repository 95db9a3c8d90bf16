/** Streams of what changes, as server-sent events. */
@NullMarked
package io.alphaomega.server.changes;

import org.jspecify.annotations.NullMarked;
