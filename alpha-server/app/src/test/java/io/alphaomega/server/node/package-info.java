@NullMarked
package io.alphaomega.server.node;

import org.jspecify.annotations.NullMarked;
