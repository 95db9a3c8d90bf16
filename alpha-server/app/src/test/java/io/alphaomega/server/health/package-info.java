@NullMarked
package io.alphaomega.server.health;

import org.jspecify.annotations.NullMarked;
