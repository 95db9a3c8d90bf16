@NullMarked
package io.alphaomega.server.properties;

import org.jspecify.annotations.NullMarked;
