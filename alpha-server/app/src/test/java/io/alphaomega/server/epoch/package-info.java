@NullMarked
package io.alphaomega.server.epoch;

import org.jspecify.annotations.NullMarked;
