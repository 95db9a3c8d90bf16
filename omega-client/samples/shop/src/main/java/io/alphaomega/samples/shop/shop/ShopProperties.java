package io.alphaomega.samples.shop.shop;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * HTTP addresses of the services that are called, and what things cost in cents.
 *
 * @param prices of a piece of each article
 * @param giftPrice of a box and a card
 */
@ConfigurationProperties("shop")
record ShopProperties(URI stock, URI payment, URI shipping, Map<String, Integer> prices, int giftPrice) {}
