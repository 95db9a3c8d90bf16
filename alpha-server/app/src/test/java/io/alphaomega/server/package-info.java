@NullMarked
package io.alphaomega.server;

import org.jspecify.annotations.NullMarked;
