package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaRepeatedException;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Orders over HTTP. */
@RestController
class OrderController {
    private final OrderService orders;
    private final OrderBook book;

    OrderController(OrderService orders, OrderBook book) {
        this.orders = orders;
        this.book = book;
    }

    /** An order as customers see it; {@code state} is that of its saga's outcome, {@code text} says why it was aborted. */
    record View(String id, String saga, String state, String text) {
        static View of(String order, SagaOutcome outcome) {
            return new View(
                    order,
                    outcome.saga(),
                    outcome.state().name(),
                    outcome.aborted().map(SagaAbortedException::text).orElse(""));
        }
    }

    record Line(String order, String customer, String article, int pieces, String state) {}

    /** 202 if the order is on its way, 200 if it was placed before and is decided: a repeated order is the same order. */
    @PostMapping("/orders")
    Mono<ResponseEntity<View>> place(@RequestBody Order order) {
        return Mono.defer(() -> surely(orders.place(order)))
                .then(orders.outcome(order.id()))
                .onErrorResume(SagaRepeatedException.class, repeated -> Mono.just(repeated.outcome()))
                .map(outcome -> ResponseEntity.status(outcome.isDecided() ? HttpStatus.OK : HttpStatus.ACCEPTED)
                        .body(View.of(order.id(), outcome)));
    }

    /** A customer who hangs up cancels nothing. */
    private static Mono<Void> surely(Mono<Void> work) {
        return Mono.fromFuture(work.toFuture(), true);
    }

    @GetMapping("/orders")
    Flux<Line> orders() {
        return book.entries()
                .map(each -> new Line(each.orderId(), each.customer(), each.article(), each.pieces(), each.state()));
    }

    @GetMapping("/orders/{id}")
    Mono<View> order(@PathVariable String id) {
        return orders.outcome(id).map(outcome -> View.of(id, outcome));
    }
}
