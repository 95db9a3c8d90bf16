@NullMarked
package io.alphaomega.server.text;

import org.jspecify.annotations.NullMarked;
