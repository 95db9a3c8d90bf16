/** What can be configured, and what is said of a value that cannot be. */
@NullMarked
package io.alphaomega.server.properties;

import org.jspecify.annotations.NullMarked;
