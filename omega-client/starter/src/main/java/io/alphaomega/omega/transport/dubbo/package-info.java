/** How sagas travel with calls of Dubbo. */
@NullMarked
package io.alphaomega.omega.transport.dubbo;

import org.jspecify.annotations.NullMarked;
