package io.alphaomega.omega.transport;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** The stock over HTTP. */
@RestController
class StockEndpoint {
    private final Stock stock;

    StockEndpoint(Stock stock) {
        this.stock = stock;
    }

    @PostMapping("/stock/{item}")
    String take(@PathVariable String item) {
        stock.take(item);
        return item;
    }

    /** What is taken and not given back, an item in each line. */
    @GetMapping("/stock")
    String all() {
        return String.join("\n", stock.all());
    }
}
