@NullMarked
package io.alphaomega.server.cluster;

import org.jspecify.annotations.NullMarked;
