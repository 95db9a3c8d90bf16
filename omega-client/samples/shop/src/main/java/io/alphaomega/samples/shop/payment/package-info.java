/** The service that charges cards, and writes to customers once their orders are committed. */
@NullMarked
package io.alphaomega.samples.shop.payment;

import org.jspecify.annotations.NullMarked;
