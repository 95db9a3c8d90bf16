package io.alphaomega.omega.transport;

import java.util.Map;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.reactive.config.BlockingExecutionConfigurer;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.function.client.WebClient;

/** As {@link CostShop}, on WebFlux: it calls itself by {@code WebClient} only. */
@Configuration(proxyBeanMethods = false)
@Import({Shop.class, StockEndpoint.class, CostShop.Meter.class})
class ReactiveCostShop {
    public static void main(String[] args) {
        SpringApplication service = new SpringApplication(ReactiveCostShop.class);
        service.setWebApplicationType(WebApplicationType.REACTIVE);
        service.setDefaultProperties(Map.of("spring.reactor.context-propagation", "auto"));
        service.run(args);
    }

    /** Where its methods run, which wait: for the database, for alpha and for each other. */
    @Bean
    static WebFluxConfigurer waiting(AsyncTaskExecutor applicationTaskExecutor) {
        return new WebFluxConfigurer() {
            @Override
            public void configureBlockingExecution(BlockingExecutionConfigurer execution) {
                execution.setExecutor(applicationTaskExecutor);
            }
        };
    }

    @Bean
    static Caller caller(WebClient.Builder builder, @Value("${stock.http}") String http) {
        WebClient web = builder.baseUrl(http).build();
        return (by, item) -> Calls.take(web, item);
    }
}
