package io.alphaomega.samples.shop.shop;

import io.alphaomega.samples.shop.RefusedException;
import java.net.URI;
import java.util.Map;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.stereotype.Component;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** The services that the shop calls. The saga goes along with each call. */
@Component
class Services {
    private final WebClient http;
    private final ShopProperties shop;

    Services(WebClient.Builder http, ShopProperties shop) {
        this.http = http.defaultStatusHandler(HttpStatus.CONFLICT::isSameCodeAs, Services::refusal)
                .build();
        this.shop = shop;
    }

    Mono<Void> reserve(String order, String article, int pieces) {
        return post(shop.stock(), "/reservations", Map.of("order", order, "article", article, "pieces", pieces));
    }

    Mono<Void> charge(Order order, long cents) {
        return post(
                shop.payment(),
                "/payments",
                Map.of("order", order.id(), "customer", order.customer(), "card", order.card(), "cents", cents));
    }

    Mono<Void> printCard(String order, String text) {
        return post(shop.shipping(), "/cards", Map.of("order", order, "text", text));
    }

    private Mono<Void> post(URI service, String path, Map<String, Object> body) {
        return http.post()
                .uri(service.resolve(path))
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
