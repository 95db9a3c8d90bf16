/** Tells somebody over HTTP that sagas are suspended. */
@NullMarked
package io.alphaomega.server.webhook;

import org.jspecify.annotations.NullMarked;
