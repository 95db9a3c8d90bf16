/** The service that takes orders, and begins their sagas. */
@NullMarked
package io.alphaomega.samples.shop.shop;

import org.jspecify.annotations.NullMarked;
