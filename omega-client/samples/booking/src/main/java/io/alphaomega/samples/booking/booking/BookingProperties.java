package io.alphaomega.samples.booking.booking;

import java.net.URI;
import org.springframework.boot.context.properties.ConfigurationProperties;

/** HTTP addresses: of the two services that are called, and of alpha, for links to a saga's history. */
@ConfigurationProperties("booking")
record BookingProperties(URI car, URI hotel, URI alpha) {}
