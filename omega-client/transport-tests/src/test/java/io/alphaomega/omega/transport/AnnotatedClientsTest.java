package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.loadbalancer.DeferringLoadBalancerInterceptor;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.openfeign.EnableFeignClients;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.service.annotation.PostExchange;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/** An interface with annotations that the client shares with the service: a call is one branch, that of the service. */
@SpringBootTest(
        classes = AnnotatedClientsTest.Rental.class,
        webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT,
        properties = "spring.cloud.openfeign.circuitbreaker.enabled=true")
@OmegaTest
@ExtendWith(OutputCaptureExtension.class)
class AnnotatedClientsTest {
    @Autowired
    private CarClient cars;

    @Autowired
    private BikeApi bikes;

    @Autowired
    private Desks desks;

    @Autowired
    private Orders orders;

    @Autowired
    private TestAlpha alpha;

    @Configuration(proxyBeanMethods = false)
    @EnableFeignClients(clients = CarClient.class)
    @LoadBalancerClients(defaultConfiguration = HttpClientsTest.Here.class)
    @Import({Shop.class, Desks.class, CarDesk.class, BikeDesk.class})
    static class Rental {
        @Bean
        BikeApi bikes(RestClient.Builder builder, DeferringLoadBalancerInterceptor balancer) {
            RestClient client =
                    builder.requestInterceptor(balancer).baseUrl("http://stock").build();
            return HttpServiceProxyFactory.builderFor(RestClientAdapter.create(client))
                    .build()
                    .createClient(BikeApi.class);
        }
    }

    static class Desks {
        final List<String> said = new CopyOnWriteArrayList<>();
    }

    interface CarApi {
        @PostMapping("/cars/{guest}")
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(@PathVariable("guest") String guest);
    }

    @FeignClient(name = "stock")
    interface CarClient extends CarApi {}

    interface BikeApi {
        @PostExchange("/bikes/{guest}")
        @Compensable(compensationMethod = "cancel", fenced = false)
        void book(@PathVariable("guest") String guest);
    }

    @RestController
    static class CarDesk implements CarApi {
        private final Desks desks;

        CarDesk(Desks desks) {
            this.desks = desks;
        }

        @Override
        public void book(String guest) {
            desks.said.add("car for " + guest);
        }

        public void cancel(String guest) {
            desks.said.add("no car for " + guest);
        }
    }

    @RestController
    static class BikeDesk implements BikeApi {
        private final Desks desks;

        BikeDesk(Desks desks) {
            this.desks = desks;
        }

        @Override
        public void book(String guest) {
            desks.said.add("bike for " + guest);
        }

        public void cancel(String guest) {
            desks.said.add("no bike for " + guest);
        }
    }

    @Test
    void a_client_of_open_feign_takes_no_part_itself(CapturedOutput output) {
        isOneBranch(cars::book, "car");
        assertThat(output).doesNotContain("These beans are proxies with nothing but an interface behind them");
    }

    @Test
    void neither_does_an_http_interface() {
        isOneBranch(bikes::book, "bike");
    }

    private void isOneBranch(Consumer<String> client, String what) {
        desks.said.clear();
        assertThatThrownBy(() -> orders.run(() -> {
                    client.accept("Ada");
                    throw new IllegalStateException("closed");
                }))
                .hasMessage("closed");
        String desk = what.equals("car") ? "CarDesk" : "BikeDesk";
        assertThat(alpha.saga()).compensated("AnnotatedClientsTest." + desk + ".book");
        assertThat(desks.said).containsExactly(what + " for Ada", "no " + what + " for Ada");
    }
}
