/** Where alpha's spans go. */
@NullMarked
package io.alphaomega.server.traces;

import org.jspecify.annotations.NullMarked;
