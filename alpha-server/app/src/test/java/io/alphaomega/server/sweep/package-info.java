@NullMarked
package io.alphaomega.server.sweep;

import org.jspecify.annotations.NullMarked;
