@NullMarked
package io.alphaomega.omega.fence;

import org.jspecify.annotations.NullMarked;
