package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.protocol.v1.CallbackResult;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service that is stopped finishes what is under way: first the requests, then what alpha has called back. */
class GracefulStopTest {
    @TempDir
    private Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ConfigurableApplicationContext service;
    private int port;
    private Gate gate;
    private Stopping stopping;

    /** Where the business waits until the test lets it go on. */
    static class Gate {
        private final CountDownLatch entered = new CountDownLatch(1);
        private final CountDownLatch opened = new CountDownLatch(1);

        void pass() {
            entered.countDown();
            awaits(opened);
        }
    }

    /** Stops between the web server and omega. */
    static class Stopping implements SmartLifecycle {
        private final CountDownLatch stopped = new CountDownLatch(1);
        private volatile boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            running = false;
            stopped.countDown();
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return SmartLifecycle.DEFAULT_PHASE - 3071;
        }
    }

    @RestController
    static class Trips {
        private final Gate gate;
        private final Rooms rooms;

        Trips(Gate gate, Rooms rooms) {
            this.gate = gate;
            this.rooms = rooms;
        }

        @PostMapping("/trips")
        @SagaStart
        public String book() {
            gate.pass();
            return rooms.book();
        }
    }

    static class Counter {
        private final Rooms rooms;

        Counter(Rooms rooms) {
            this.rooms = rooms;
        }

        @SagaStart
        public void sell() {
            rooms.book();
        }
    }

    static class Rooms {
        private final Gate gate;
        private final JdbcClient database;

        Rooms(Gate gate, JdbcClient database) {
            this.gate = gate;
            this.database = database;
            database.sql("create table if not exists room (guest text)").update();
        }

        @Compensable(compensationMethod = "cancel")
        @Transactional
        public String book() {
            database.sql("insert into room values ('Ada')").update();
            return "booked";
        }

        public void cancel() {
            gate.pass();
            database.sql("delete from room").update();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Trips.class, Counter.class, Rooms.class, Gate.class, Stopping.class})
    static class Service {}

    @BeforeEach
    void start() {
        service = new SpringApplicationBuilder(Service.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.application.name=shop",
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.datasource.url=" + Applications.url(directory),
                        "spring.lifecycle.timeout-per-shutdown-phase=5m",
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.drain-timeout=5m")
                .run();
        port = service.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        gate = service.getBean(Gate.class);
        stopping = service.getBean(Stopping.class);
    }

    @AfterEach
    void stop() {
        gate.opened.countDown();
        service.close();
        alpha.close();
        threads.shutdown();
    }

    @Test
    void a_request_under_way_does_what_it_has_to_in_its_saga() {
        CompletableFuture<String> trip = CompletableFuture.supplyAsync(this::book, threads);
        awaits(gate.entered);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::close, threads);
        await().until(this::refusesConnections);
        assertThat(alpha.inputs()).isEmpty();
        assertThat(stopping.stopped.getCount())
                .as("what stops after the requests")
                .isOne();
        gate.opened.countDown();

        assertThat(trip.join()).isEqualTo("booked");
        assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END);
        stopped.join();
    }

    @Test
    void a_callback_under_way_is_done_and_alpha_is_told() {
        service.getBean(Counter.class).sell();
        CompletableFuture<CallbackResult> undone =
                CompletableFuture.supplyAsync(() -> alpha.callBack(callback -> {}), threads);
        awaits(gate.entered);

        CompletableFuture<Void> stopped = CompletableFuture.runAsync(service::close, threads);
        awaits(stopping.stopped);
        assertThat(undone).isNotDone();
        gate.opened.countDown();

        assertThat(undone.join().hasFailure()).isFalse();
        stopped.join();
    }

    private String book() {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/trips"))
                .POST(BodyPublishers.noBody())
                .build();
        try {
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean refusesConnections() {
        return catchThrowable(() -> new Socket(InetAddress.getLoopbackAddress(), port).close())
                instanceof ConnectException;
    }

    private static void awaits(CountDownLatch latch) {
        try {
            if (!latch.await(5, TimeUnit.MINUTES)) throw new AssertionError("It did not come in five minutes.");
        } catch (InterruptedException e) {
            throw new AssertionError("Interrupted.", e);
        }
    }
}
