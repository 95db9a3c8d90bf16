package io.alphaomega.samples.shop.stock;

import io.alphaomega.samples.shop.OrderId;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The stock over HTTP. Which saga a request belongs to comes with its headers; omega sees to that. */
@RestController
class StockController {
    private final StockDesk desk;
    private final Articles articles;
    private final Reservations reservations;

    StockController(StockDesk desk, Articles articles, Reservations reservations) {
        this.desk = desk;
        this.articles = articles;
        this.reservations = reservations;
    }

    record Wanted(String order, String article, int pieces) {
        Wanted {
            order = OrderId.of(order);
            if (pieces < 1) throw new IllegalArgumentException("At least 1 piece is reserved, not " + pieces + ".");
        }
    }

    record Shelf(String article, int delivered, int shelf, int reserved) {}

    record Held(String order, String article, int pieces, Reservation.State state) {}

    @PostMapping("/reservations")
    @ResponseStatus(HttpStatus.CREATED)
    void reserve(@RequestBody Wanted wanted) {
        desk.reserve(wanted.order(), wanted.article(), wanted.pieces());
    }

    @GetMapping("/reservations")
    List<Held> reservations() {
        return reservations.findAll().stream()
                .map(each -> new Held(each.orderId(), each.article(), each.pieces(), each.state()))
                .toList();
    }

    @GetMapping("/articles")
    List<Shelf> articles() {
        return articles.findAll().stream()
                .map(each -> new Shelf(each.name(), each.delivered(), each.shelf(), each.reserved()))
                .toList();
    }
}
