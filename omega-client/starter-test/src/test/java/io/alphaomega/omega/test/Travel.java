package io.alphaomega.omega.test;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** A service as its team would test it. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Trips.class, HotelDesk.class, CarDesk.class, Ledger.class})
class Travel {}
