/** The service that packs parcels, as messages tell it to, and ends the sagas; it prints cards, too. */
@NullMarked
package io.alphaomega.samples.shop.shipping;

import org.jspecify.annotations.NullMarked;
