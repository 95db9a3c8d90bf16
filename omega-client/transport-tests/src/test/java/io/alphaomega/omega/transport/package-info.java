@NullMarked
package io.alphaomega.omega.transport;

import org.jspecify.annotations.NullMarked;
