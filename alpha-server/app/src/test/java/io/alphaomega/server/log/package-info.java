@NullMarked
package io.alphaomega.server.log;

import org.jspecify.annotations.NullMarked;
