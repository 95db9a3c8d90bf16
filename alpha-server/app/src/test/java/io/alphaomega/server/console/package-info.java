@NullMarked
package io.alphaomega.server.console;

import org.jspecify.annotations.NullMarked;
