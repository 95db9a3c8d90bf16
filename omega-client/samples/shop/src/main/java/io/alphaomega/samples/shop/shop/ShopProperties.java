package io.alphaomega.samples.shop.shop;

import java.net.URI;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** HTTP addresses of the services that are called, and what a piece of each article costs, in cents. */
@ConfigurationProperties("shop")
record ShopProperties(URI stock, URI payment, Map<String, Integer> prices) {}
