/** How sagas travel with calls of Feign. */
@NullMarked
package io.alphaomega.omega.transport.feign;

import org.jspecify.annotations.NullMarked;
