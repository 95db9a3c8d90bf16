package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaContext;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshot;
import io.micrometer.context.ContextSnapshotFactory;
import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** What carries a saga to virtual threads, where Spring Boot uses them for everything. */
@SpringBootTest(
        classes = Travel.class,
        properties = "spring.threads.virtual.enabled=true",
        webEnvironment = WebEnvironment.RANDOM_PORT)
@OmegaTest
@Import({VirtualThreadsTest.RoomController.class, VirtualThreadsTest.SeatDesk.class})
class VirtualThreadsTest {
    private static final SagaSettings TRIP = SagaSettings.named("trip");

    @LocalServerPort
    private int port;

    @Autowired
    private SagaTemplate sagas;

    @Autowired
    private RestClient.Builder client;

    @Autowired
    private CarDesk car;

    @Autowired
    private SeatDesk seats;

    @Autowired
    @Qualifier("applicationTaskExecutor")
    private AsyncTaskExecutor executor;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @RestController
    static class RoomController {
        private final HotelDesk hotel;

        RoomController(HotelDesk hotel) {
            this.hotel = hotel;
        }

        @PostMapping("/rooms")
        boolean book(@RequestParam String guest) {
            hotel.book(guest);
            return Thread.currentThread().isVirtual();
        }
    }

    @EnableAsync
    static class SeatDesk {
        private final Ledger ledger;

        SeatDesk(Ledger ledger) {
            this.ledger = ledger;
        }

        @Async
        @Transactional
        @Compensable(compensationMethod = "release")
        public CompletableFuture<Boolean> hold(String guest) {
            ledger.add("seat for " + guest);
            return CompletableFuture.completedFuture(Thread.currentThread().isVirtual());
        }

        @Transactional
        public void release(String guest) {
            ledger.add("no seat for " + guest);
        }
    }

    @BeforeEach
    void nothing_done() {
        ledger.clear();
    }

    /** On a virtual thread, a branch of the saga. */
    private boolean bookCar(String guest) {
        car.book(guest);
        return Thread.currentThread().isVirtual();
    }

    @Test
    void requests_are_served_in_the_saga_of_their_caller() {
        RestClient hotel = client.baseUrl("http://localhost:" + port).build();

        boolean virtual = sagas.execute(
                TRIP,
                saga -> Boolean.TRUE.equals(
                        hotel.post().uri("/rooms?guest=Ada").retrieve().body(Boolean.class)));

        assertThat(virtual).isTrue();
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().history()).anyMatch(line -> line.contains("HotelDesk.book"));
    }

    @Test
    void async_methods_are_branches_of_the_saga_of_their_caller() {
        boolean virtual = sagas.execute(TRIP, saga -> seats.hold("Ada").join());

        assertThat(virtual).isTrue();
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().history()).anyMatch(line -> line.contains("SeatDesk.hold"));
    }

    @Test
    void the_executor_of_the_application_carries_the_saga() {
        assertCarried(task -> executor.submit(task).get());
    }

    @Test
    void an_executor_of_ones_own_carries_the_saga_if_it_is_wrapped() {
        try (ExecutorService own = ContextExecutorService.wrap(
                Executors.newVirtualThreadPerTaskExecutor(), VirtualThreadsTest::snapshot)) {
            assertCarried(task -> own.submit(task).get());
        }
    }

    @Test
    void a_thread_of_ones_own_carries_the_saga_if_its_task_is_wrapped() {
        assertCarried(task -> {
            CompletableFuture<Boolean> done = new CompletableFuture<>();
            Runnable work = () -> {
                try {
                    done.complete(task.call());
                } catch (Exception e) {
                    done.completeExceptionally(e);
                }
            };
            Thread.ofVirtual().start(snapshot().wrap(work)).join();
            return done.get();
        });
    }

    /** By reflection, since it is a preview in Java 25; before, it was another one. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_25)
    void subtasks_of_a_structured_task_scope_are_in_the_saga_if_they_are_wrapped() throws Exception {
        Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
        Method fork = type.getMethod("fork", Callable.class);
        assertCarried(task -> {
            try (AutoCloseable scope = (AutoCloseable) type.getMethod("open").invoke(null)) {
                Object subtask = fork.invoke(scope, snapshot().wrap(task));
                type.getMethod("join").invoke(scope);
                Class<?> subtaskType = Class.forName(type.getName() + "$Subtask");
                return (Boolean) subtaskType.getMethod("get").invoke(subtask);
            }
        });
    }

    private static ContextSnapshot snapshot() {
        return ContextSnapshotFactory.builder().build().captureAll();
    }

    /** What runs a task elsewhere and waits for it. */
    private interface Elsewhere {
        boolean run(Callable<Boolean> task) throws Exception;
    }

    private void assertCarried(Elsewhere elsewhere) {
        boolean virtual = sagas.execute(TRIP, saga -> {
            try {
                return elsewhere.run(() -> bookCar("Ada"));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        assertThat(virtual).isTrue();
        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().history()).anyMatch(line -> line.contains("CarDesk.book"));
        assertThat(ledger.all()).containsExactly("car for Ada");
        assertThat(SagaContext.current()).isEmpty();
    }
}
