/** The service that keeps the articles: reserved first, then taken or released. */
@NullMarked
package io.alphaomega.samples.shop.stock;

import org.jspecify.annotations.NullMarked;
