package io.alphaomega.omega.test.everyday;

import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;

/** The shop of docs/everyday.md. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({OrderService.class, StockDesk.class, Cashier.class})
class Shop {}
