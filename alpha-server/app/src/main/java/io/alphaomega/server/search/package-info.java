/** Where people look for sagas: the journal's own store, or an index beside it that catches up by itself. */
@NullMarked
package io.alphaomega.server.search;

import org.jspecify.annotations.NullMarked;
