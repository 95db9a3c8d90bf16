package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.samples.shop.RefusedException;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.WebClientException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/** Places orders: entered in the book, articles reserved, the card charged, a parcel packed; all of it or nothing. */
@Service
public class OrderService {
    private static final Logger log = LoggerFactory.getLogger(OrderService.class);

    private final OrderBook book;
    private final Services services;
    private final GiftService gifts;
    private final KafkaTemplate<String, String> messages;
    private final SagaTemplate sagas;
    private final JsonMapper json;
    private final ShopProperties shop;
    private final String service;

    OrderService(
            OrderBook book,
            Services services,
            GiftService gifts,
            ShopProperties shop,
            KafkaTemplate<String, String> messages,
            SagaTemplate sagas,
            JsonMapper json,
            @Value("${spring.application.name}") String service) {
        this.book = book;
        this.services = services;
        this.gifts = gifts;
        this.messages = messages;
        this.sagas = sagas;
        this.json = json;
        this.shop = shop;
        this.service = service;
    }

    /**
     * Completes when everything is on its way: the saga stays open, and shipping ends it. An error aborts it, and then the
     * entry is struck, what was reserved is released and what was charged is refunded. An order with the id of an earlier one is not placed
     * again.
     */
    @SagaStart(businessKey = "#order.id", unique = true, attributes = "customer=#{#order.customer}", autoClose = false)
    public Mono<Void> place(Order order) {
        Integer price = shop.prices().get(order.article());
        if (price == null) return Mono.error(new RefusedException("The shop does not sell " + order.article() + "."));
        long cents = (long) price * order.pieces();
        return book.enter(order)
                .then(services.reserve(order.id(), order.article(), order.pieces()))
                .then(wrap(order))
                .flatMap(wrapped -> services.charge(order, wrapped ? cents + shop.giftPrice() : cents))
                .then(ship(order));
    }

    /** How an order was decided, as far as alpha knows. */
    Mono<SagaOutcome> outcome(String order) {
        return Mono.fromCallable(() -> sagas.outcome(service, "OrderService.place", order))
                .subscribeOn(Schedulers.boundedElastic());
    }

    /** Whether it is a gift now. If a box or a card cannot be had, the order goes on without, and costs less. */
    private Mono<Boolean> wrap(Order order) {
        String greeting = order.greeting();
        if (greeting == null) return Mono.just(false);
        return gifts.wrap(order.id(), greeting).thenReturn(true).onErrorResume(OrderService::isOnlyOfTheGift, cause -> {
            log.info("Order {} is not wrapped: {}", order.id(), cause.getMessage());
            return Mono.just(false);
        });
    }

    /** What else goes wrong, such as that nobody knows what became of the gift, aborts the order. */
    private static boolean isOnlyOfTheGift(Throwable cause) {
        return cause instanceof RefusedException
                || cause instanceof WebClientException
                || cause instanceof SagaAbortedException;
    }

    /** The saga goes along with the message. Sending may wait for the broker, so not on an event loop. */
    private Mono<Void> ship(Order order) {
        String parcel = json.writeValueAsString(Map.of(
                "order", order.id(),
                "address", order.address()));
        return Mono.fromFuture(() -> messages.send("parcels", order.id(), parcel))
                .subscribeOn(Schedulers.boundedElastic())
                .then();
    }
}
