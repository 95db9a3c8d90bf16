package io.alphaomega.omega.transport;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** A service that calls itself over whatever transport a test adds. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Stock.class, Orders.class})
class Shop {}
