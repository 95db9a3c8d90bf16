package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import feign.Retryer;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.github.resilience4j.retry.Retry;
import io.github.resilience4j.retry.RetryConfig;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DeferringLoadBalancerInterceptor;
import org.springframework.cloud.client.loadbalancer.reactive.DeferringLoadBalancerExchangeFilterFunction;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancedExchangeFilterFunction;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.ClientHttpRequestInterceptor;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.support.WebClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Sagas over clients of HTTP that find services by name and send requests again: Spring Cloud LoadBalancer, OpenFeign and
 * Resilience4j as they are.
 */
@SpringBootTest(classes = CalledShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
class HttpClientsTest {
    @Autowired
    private FeignStock feign;

    @Autowired
    private RestClient.Builder restClient;

    @Autowired
    private WebClient.Builder webClient;

    @Autowired
    private DeferringLoadBalancerExchangeFilterFunction<LoadBalancedExchangeFilterFunction> reactiveBalancer;

    @Autowired
    private BeanFactory beans;

    @Autowired
    private DeferringLoadBalancerInterceptor balancer;

    @Autowired
    private Endpoint endpoint;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();

    @FeignClient(name = "stock")
    interface FeignStock {
        @PostMapping("/stock/{item}")
        String take(@PathVariable("item") String item);
    }

    interface ExchangedStock {
        @PostExchange("/stock/{item}")
        String take(@PathVariable String item);
    }

    /** Of every service there is one instance, which is this one. */
    static class Here {
        @Bean
        ServiceInstanceListSupplier instances(Environment environment) {
            return new ServiceInstanceListSupplier() {
                @Override
                public String getServiceId() {
                    return "stock";
                }

                @Override
                public Flux<List<ServiceInstance>> get() {
                    int port = environment.getRequiredProperty("local.server.port", Integer.class);
                    return Flux.just(List.of(new DefaultServiceInstance("1", "stock", "127.0.0.1", port, false)));
                }
            };
        }
    }

    static class Trying {
        @Bean
        static Retryer retryer() {
            return new Retryer.Default(1, 1, 3);
        }
    }

    @RestController
    static class Endpoint {
        private final Stock stock;
        private final Omega omega;
        final List<String> calls = new CopyOnWriteArrayList<>();
        volatile boolean failsOnce;

        Endpoint(Stock stock, Omega omega) {
            this.stock = stock;
            this.omega = omega;
        }

        /** The first answer may be lost to who sees failures only. */
        @PostMapping("/stock/{item}")
        ResponseEntity<String> take(@PathVariable String item) {
            stock.take(item);
            calls.add(item);
            if (failsOnce) {
                failsOnce = false;
                return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE)
                        .header("Retry-After", "0")
                        .build();
            }
            return ResponseEntity.ok(omega.sagaId().orElse("none"));
        }
    }

    @Test
    void feign_takes_the_saga_along_and_brings_the_reports_back() {
        travels(feign::take);
    }

    @Test
    void rest_client_rest_template_and_http_interfaces_do_so_through_a_load_balancer() {
        RestClient client = restClient
                .clone()
                .requestInterceptor(balancer)
                .baseUrl("http://stock")
                .build();
        travels(wanted -> client.post().uri("/stock/{item}", wanted).retrieve().toBodilessEntity());
        RestTemplate template = BootUnderTest.restTemplate(beans, balancer);
        travels(wanted -> template.postForObject("http://stock/stock/{item}", null, String.class, wanted));
        travels(HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                .build()
                .createClient(ExchangedStock.class)::take);
    }

    @Test
    void what_feigns_retryer_sends_again_is_the_same_call() {
        isTakenOnce(feign::take);
    }

    @Test
    void what_resilience4j_sends_again_beneath_a_client_is_the_same_call() {
        RestClient client = restClient
                .clone()
                .requestInterceptor(balancer)
                .requestInterceptor(retrying()) // Spring 6 asks what comes after it only once.
                .baseUrl("http://stock")
                .build();
        isTakenOnce(
                wanted -> client.post().uri("/stock/{item}", wanted).retrieve().toBodilessEntity());
    }

    @Test
    void web_client_does_so_through_a_load_balancer() {
        travels(balanced(webClient.clone())::take);
    }

    @Test
    void what_is_sent_again_beneath_web_client_is_the_same_call() {
        isTakenOnce(balanced(webClient
                .clone()
                .filter((request, next) -> next.exchange(request)
                        .flatMap(answer -> answer.statusCode().isError() ? answer.createError() : Mono.just(answer))
                        .retry(1)))::take);
    }

    @Test
    void two_invocations_are_two_calls() {
        orders.run(() -> assertThat(feign.take(item)).isEqualTo(feign.take(item)));
        assertThat(stock.taken(item)).isEqualTo(2);
    }

    @Test
    void outside_of_sagas_nothing_is_sent_along() {
        assertThat(feign.take(item)).isEqualTo("none");
        assertThat(alpha.sagas()).isEmpty();
    }

    private ExchangedStock balanced(WebClient.Builder client) {
        return HttpServiceProxyFactory.builderFor(WebClientAdapter.create(
                        client.filter(reactiveBalancer).baseUrl("http://stock").build()))
                .build()
                .createClient(ExchangedStock.class);
    }

    /** By Resilience4j's own, until the answer is no failure. */
    private static ClientHttpRequestInterceptor retrying() {
        Retry retry = Retry.of(
                "stock",
                RetryConfig.<ClientHttpResponse>custom()
                        .maxAttempts(2)
                        .retryOnResult(HttpClientsTest::isUnavailable)
                        .build());
        return (request, body, execution) -> {
            try {
                return retry.executeCallable(() -> execution.execute(request, body));
            } catch (IOException | RuntimeException thrown) {
                throw thrown;
            } catch (Exception thrown) {
                throw new IllegalStateException(thrown);
            }
        };
    }

    private static boolean isUnavailable(ClientHttpResponse answer) {
        try {
            return answer.getStatusCode().value() == HttpStatus.SERVICE_UNAVAILABLE.value();
        } catch (IOException e) {
            return true;
        }
    }

    private void travels(Consumer<String> client) {
        TravellingEnd.assertOf(client, orders, stock, alpha);
    }

    private void isTakenOnce(Consumer<String> client) {
        endpoint.failsOnce = true;
        orders.run(() -> client.accept(item));
        assertThat(endpoint.calls.stream().filter(item::equals)).hasSize(2);
        assertThat(stock.taken(item)).isOne();
        assertThat(alpha.saga()).committed();
    }
}
