/** The journal's format: saga events to bytes and back, the same for every repository. */
@NullMarked
package io.alphaomega.server.journal;

import org.jspecify.annotations.NullMarked;
