package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import feign.AsyncFeign;
import feign.Param;
import feign.RequestLine;
import feign.Retryer;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.omega.transport.feign.SagaCapability;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Sagas over clients of HTTP whose methods return before there is an answer. */
@SpringBootTest(classes = CalledShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
class AsyncHttpClientsTest {
    @Autowired
    private SagaCapability sagas;

    @Autowired
    private WebClient.Builder webClient;

    @Autowired
    private HttpClientsTest.Endpoint endpoint;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private TestAlpha alpha;

    @LocalServerPort
    private int port;

    private final String item = UUID.randomUUID().toString();

    interface FeignStock {
        @RequestLine("POST /stock/{item}")
        CompletableFuture<String> take(@Param("item") String item);

        @RequestLine("POST /stock/{item}")
        String takeAndWait(@Param("item") String item);
    }

    interface ExchangedStock {
        @PostExchange("/stock/{item}")
        Mono<String> mono(@PathVariable String item);

        @PostExchange("/stock/{item}")
        Flux<String> flux(@PathVariable String item);

        @PostExchange("/stock/{item}")
        CompletableFuture<String> future(@PathVariable String item);

        @PostExchange("/stock/{item}")
        String plain(@PathVariable String item);
    }

    @Test
    void asynchronous_feign_takes_the_saga_along_and_brings_the_reports_back() {
        FeignStock feign = feign();
        travels(wanted -> feign.take(wanted).join());
        travels(feign::takeAndWait);
    }

    @Test
    void what_its_retryer_sends_again_is_the_same_call_and_two_invocations_are_two() {
        FeignStock feign = feign();
        endpoint.failsOnce = true;
        orders.run(() -> feign.take(item).join());
        assertThat(endpoint.calls.stream().filter(item::equals)).hasSize(2);
        assertThat(stock.taken(item)).isOne();
        assertThat(alpha.saga()).committed();

        String other = UUID.randomUUID().toString();
        orders.run(() ->
                CompletableFuture.allOf(feign.take(other), feign.take(other)).join());
        assertThat(stock.taken(other)).isEqualTo(2);
    }

    @Test
    void asynchronous_feign_sends_nothing_along_outside_of_sagas() {
        assertThat(feign().take(item).join()).isEqualTo("none");
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void http_interfaces_do_so_whatever_they_return() {
        ExchangedStock exchanged = HttpServiceProxyFactory.builderFor(WebClientAdapter.create(
                        webClient.clone().baseUrl(address()).build()))
                .build()
                .createClient(ExchangedStock.class);
        travels(wanted -> exchanged.mono(wanted).block());
        travels(wanted -> exchanged.flux(wanted).blockLast());
        travels(wanted -> exchanged.future(wanted).join());
        travels(exchanged::plain);
    }

    private FeignStock feign() {
        return AsyncFeign.builder()
                .retryer(new Retryer.Default(1, 1, 3))
                .addCapability(sagas)
                .target(FeignStock.class, address());
    }

    private String address() {
        return "http://127.0.0.1:" + port;
    }

    private void travels(Consumer<String> client) {
        TravellingEnd.assertOf(client, orders, stock, alpha);
    }
}
