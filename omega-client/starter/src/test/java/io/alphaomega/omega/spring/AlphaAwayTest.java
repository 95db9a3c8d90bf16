package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaSnapshot;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.reactive.function.client.WebClient;
import org.springframework.web.reactive.function.client.WebClientResponseException.ServiceUnavailable;
import reactor.blockhound.BlockHound;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** What is reactive while there is no answer of alpha: no thread of Reactor's waits, and what alpha was to hear does not gather. */
@Tag("watched")
class AlphaAwayTest {
    private static final Duration LIMIT = Duration.ofMinutes(1);

    /** Far more than may be unanswered. */
    private static final int SAGAS = 60;

    private static final int ROOM = 4;

    /** A service that is called: away without alpha as well, or hanging. */
    private static HttpServer called;

    private final Away alpha = new Away();
    private @Nullable ConfigurableApplicationContext application;

    /** How alpha is away. */
    enum Manner {
        REFUSES_CONNECTIONS,
        ACCEPTS_THEM_AND_SAYS_NOTHING,
        ANSWERS_NO_REPORT
    }

    /** Where an alpha should be. */
    private static final class Away {
        private final SmallAlpha silent = new SmallAlpha();
        private final Socket bound = new Socket();
        private final ServerSocket listening;

        Away() {
            silent.silentOn = input -> true;
            try {
                bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
            } catch (IOException e) {
                throw new IllegalStateException("No port is free.", e);
            }
        }

        String address(Manner manner) {
            return switch (manner) {
                case REFUSES_CONNECTIONS -> "127.0.0.1:" + bound.getLocalPort();
                case ACCEPTS_THEM_AND_SAYS_NOTHING -> "127.0.0.1:" + listening.getLocalPort();
                case ANSWERS_NO_REPORT -> silent.address();
            };
        }

        void close() throws IOException {
            silent.close();
            bound.close();
            listening.close();
        }
    }

    @BeforeAll
    static void start() throws IOException {
        BlockHound.install();
        called = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        called.createContext("/unavailable", exchange -> {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
        });
        called.createContext("/hanging", exchange -> {});
        called.start();
    }

    @AfterAll
    static void stop() {
        called.stop(0);
    }

    @AfterEach
    void close() throws IOException {
        if (application != null) application.close();
        alpha.close();
    }

    private ConfigurableApplicationContext start(Manner manner) {
        application = new SpringApplicationBuilder(RunningLaterShop.Shopping.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "spring.application.name=shop",
                        "spring.main.banner-mode=off",
                        "omega.alpha.addresses=" + alpha.address(manner),
                        "omega.alpha.unanswered-inputs=" + ROOM,
                        "omega.begin-timeout=200ms",
                        "omega.ack-timeout=200ms",
                        "omega.drain-timeout=100ms")
                .run();
        return application;
    }

    @ParameterizedTest
    @EnumSource
    void no_thread_of_reactors_waits_and_what_alpha_was_to_hear_does_not_gather(Manner manner) {
        ConfigurableApplicationContext shop = start(manner);
        LaterShop.Counter counter = shop.getBean(LaterShop.Counter.class);
        LaterShop.Desk desk = shop.getBean(LaterShop.Desk.class);
        WebClient client = shop.getBean(WebClient.Builder.class).build();

        assertThat(errors(() -> counter.mono(() -> desk.mono(() -> Mono.just("local")))))
                .hasSize(SAGAS)
                .hasOnlyElementsOfType(AlphaUnavailableException.class);
        assertThat(errors(() -> counter.mono(() -> call(client, "/unavailable"))))
                .hasSize(SAGAS)
                .hasOnlyElementsOfType(ServiceUnavailable.class);
        assertThat(errors(() -> counter.mono(() -> call(client, "/hanging")).timeout(Duration.ofMillis(100))))
                .hasSize(SAGAS)
                .hasOnlyElementsOfType(TimeoutException.class);
        assertThat(desk.runs()).isZero();

        AlphaClient omega = shop.getBean(AlphaClient.class);
        await().until(() -> omega.snapshot().join().withoutRoom() == 0);
        AlphaSnapshot left = omega.snapshot().join();
        assertThat(left.unanswered()).as("what is told in the background").isLessThanOrEqualTo(ROOM);
    }

    private static Mono<String> call(WebClient client, String path) {
        return client.post()
                .uri("http://127.0.0.1:" + called.getAddress().getPort() + path)
                .retrieve()
                .bodyToMono(String.class);
    }

    /** Of so many sagas at once, subscribed to where nothing may wait. */
    private static List<Throwable> errors(Supplier<Mono<String>> saga) {
        // Loads its classes, from jars, where that may be waited for.
        Mono.defer(saga).onErrorComplete().block(LIMIT);
        return Flux.range(0, SAGAS)
                .flatMap(
                        number -> Mono.defer(saga)
                                .subscribeOn(Schedulers.parallel())
                                .materialize()
                                .mapNotNull(signal -> signal.getThrowable()),
                        SAGAS)
                .collectList()
                .blockOptional(LIMIT)
                .orElseThrow();
    }
}
