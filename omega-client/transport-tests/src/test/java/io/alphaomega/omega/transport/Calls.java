package io.alphaomega.omega.transport;

import io.grpc.Channel;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.cloud.openfeign.FeignClient;
import org.springframework.grpc.client.GrpcChannelFactory;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.client.support.RestClientAdapter;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.service.invoker.HttpServiceProxyFactory;

/**
 * Takes from a stock by each transport: over HTTP from {@code stock.http}, over gRPC from {@code stock.grpc}. Whoever has
 * it says what a message is, and where Dubbo finds it.
 */
class Calls implements Caller {
    private final Stock local;
    private final RestClient rest;
    private final RestTemplate template;
    private final HttpClientsTest.ExchangedStock exchanged;
    private final WebClient web;
    private final FeignStock feign;
    private final Channel grpc;
    private final Warehouses warehouses;
    private final Messages messages;
    private final String http;

    @FeignClient(name = "stock", url = "${stock.http}")
    interface FeignStock {
        @PostMapping("/stock/{item}")
        String take(@PathVariable("item") String item);
    }

    /** The stock by Dubbo's protocols. */
    record Warehouses(Warehouse byDubbo, Warehouse byTri) {}

    interface Messages {
        void byKafka(String item);

        void byRabbit(String item);
    }

    Calls(
            Stock local,
            RestClient.Builder rest,
            WebClient.Builder web,
            FeignStock feign,
            GrpcChannelFactory channels,
            Warehouses warehouses,
            Messages messages,
            BeanFactory beans,
            @Value("${stock.http}") String http,
            @Value("${stock.grpc}") String grpc) {
        this.local = local;
        this.rest = rest.baseUrl(http).build();
        this.template = BootUnderTest.restTemplate(beans);
        this.exchanged = HttpServiceProxyFactory.builderFor(RestClientAdapter.create(this.rest))
                .build()
                .createClient(HttpClientsTest.ExchangedStock.class);
        this.web = web.baseUrl(http).build();
        this.feign = feign;
        this.grpc = channels.createChannel(grpc);
        this.warehouses = warehouses;
        this.messages = messages;
        this.http = http;
    }

    @Override
    public void take(CalledBy by, String item) {
        switch (by) {
            case NONE -> local.take(item);
            case REST_CLIENT ->
                rest.post().uri("/stock/{item}", item).retrieve().toBodilessEntity();
            case REST_TEMPLATE -> template.postForObject(http + "/stock/{item}", null, String.class, item);
            case HTTP_INTERFACE -> exchanged.take(item);
            case WEB_CLIENT -> take(web, item);
            case FEIGN -> feign.take(item);
            case GRPC -> GrpcTest.take(grpc, item);
            case DUBBO -> warehouses.byDubbo().take(item);
            case TRI -> warehouses.byTri().take(item);
            case KAFKA -> messages.byKafka(item);
            case RABBITMQ -> messages.byRabbit(item);
        }
    }

    /** Waits for the answer. */
    static void take(WebClient web, String item) {
        web.post().uri("/stock/{item}", item).retrieve().toBodilessEntity().block();
    }
}
