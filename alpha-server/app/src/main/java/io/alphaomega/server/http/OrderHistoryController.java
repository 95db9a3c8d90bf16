package io.alphaomega.server.http;

import io.alphaomega.server.queries.OrderHistory;
import io.alphaomega.server.queries.OrderReader;
import io.alphaomega.server.queries.OrderRequest;
import java.time.Clock;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Looking at the orders that operators have given. */
@RestController
class OrderHistoryController {
    private final OrderReader orders;
    private final Clock clock;

    OrderHistoryController(OrderReader orders, Clock clock) {
        this.orders = orders;
        this.clock = clock;
    }

    /** Lists orders with who gave them, why, and what became of the saga; the saga with the last order first, in pages. */
    @GetMapping("/api/v1/orders")
    OrderHistory list(@RequestParam MultiValueMap<String, String> parameters) {
        return orders.read(OrderRequest.of(parameters, clock.instant()));
    }
}
