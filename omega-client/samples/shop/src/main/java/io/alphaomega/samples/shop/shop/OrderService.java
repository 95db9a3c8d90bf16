package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.samples.shop.RefusedException;
import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.kafka.core.KafkaTemplate;
import org.springframework.stereotype.Service;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import tools.jackson.databind.json.JsonMapper;

/** Places orders: articles reserved, the card charged, a parcel packed; all of it or nothing. */
@Service
public class OrderService {
    private final WebClient stock;
    private final WebClient payment;
    private final KafkaTemplate<String, String> messages;
    private final SagaTemplate sagas;
    private final JsonMapper json;
    private final Map<String, Integer> prices;
    private final String service;

    OrderService(
            WebClient.Builder http,
            ShopProperties shop,
            KafkaTemplate<String, String> messages,
            SagaTemplate sagas,
            JsonMapper json,
            @Value("${spring.application.name}") String service) {
        http.defaultStatusHandler(HttpStatus.CONFLICT::isSameCodeAs, OrderService::refusal);
        this.stock = http.clone().baseUrl(shop.stock().toString()).build();
        this.payment = http.clone().baseUrl(shop.payment().toString()).build();
        this.messages = messages;
        this.sagas = sagas;
        this.json = json;
        this.prices = shop.prices();
        this.service = service;
    }

    /**
     * Completes when everything is on its way: the saga stays open, and shipping ends it. An error aborts it, and then
     * what was reserved is released and what was charged is refunded. An order with the id of an earlier one is not placed
     * again.
     */
    @SagaStart(
            businessKey = "#order.id",
            unique = true,
            attributes = "customer=#{#order.customer}",
            autoClose = false,
            timeout = "1m")
    public Mono<Void> place(Order order) {
        return reserve(order).then(charge(order)).then(ship(order));
    }

    /** How an order was decided, as far as alpha knows. */
    Mono<SagaOutcome> outcome(String order) {
        return Mono.fromCallable(() -> sagas.outcome(service, "OrderService.place", order))
                .subscribeOn(Schedulers.boundedElastic());
    }

    private Mono<Void> reserve(Order order) {
        return post(
                stock,
                "/reservations",
                Map.of("order", order.id(), "article", order.article(), "pieces", order.pieces()));
    }

    private Mono<Void> charge(Order order) {
        Integer price = prices.get(order.article());
        if (price == null) return Mono.error(new RefusedException("The shop does not sell " + order.article() + "."));
        return post(
                payment,
                "/payments",
                Map.of(
                        "order",
                        order.id(),
                        "customer",
                        order.customer(),
                        "card",
                        order.card(),
                        "cents",
                        (long) price * order.pieces()));
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

    private static Mono<Void> post(WebClient service, String path, Map<String, Object> body) {
        return service.post()
                .uri(path)
                .bodyValue(body)
                .retrieve()
                .toBodilessEntity()
                .then();
    }

    /** A service that says no has said why. */
    private static Mono<RefusedException> refusal(ClientResponse response) {
        return response.bodyToMono(ProblemDetail.class)
                .map(problem -> "" + problem.getDetail())
                .onErrorReturn("Its explanation broke off.")
                .defaultIfEmpty("")
                .map(RefusedException::new);
    }
}
