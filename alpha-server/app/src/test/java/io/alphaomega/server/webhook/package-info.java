@NullMarked
package io.alphaomega.server.webhook;

import org.jspecify.annotations.NullMarked;
