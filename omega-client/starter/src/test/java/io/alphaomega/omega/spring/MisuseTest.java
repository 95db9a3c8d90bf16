package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.spring.Misused.Background;
import io.alphaomega.omega.spring.Misused.Desk;
import io.alphaomega.omega.spring.Misused.GiftOrder;
import io.alphaomega.omega.spring.Misused.Node;
import io.alphaomega.omega.spring.Misused.Rentals;
import io.alphaomega.omega.spring.Misused.Trips;
import io.alphaomega.omega.spring.autoconfigure.OmegaConfigurationFailureAnalyzer;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.DefaultAdvisorAutoProxyCreator;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.util.StreamUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Each misuse in docs/misuse is made for real, and omega says what the page says. */
class MisuseTest {
    private static final String REDIS = "../database-tests/src/test/java/io/alphaomega/omega/fence";

    @TempDir
    private static Path directory;

    private static final MisusePage page = MisusePage.read();
    private static final SmallAlpha alpha = new SmallAlpha();
    private static ConfigurableApplicationContext application;
    private static Trips trips;
    private static Desk desk;
    private static Rentals rentals;

    /** Makes a mistake, and returns what omega says. */
    private interface Misuse {
        List<String> said() throws Exception;
    }

    @BeforeAll
    static void start() {
        application = new SpringApplicationBuilder(Misused.Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "spring.application.name=travel",
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.datasource.url=" + Applications.url(directory),
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms")
                .run();
        trips = application.getBean(Trips.class);
        desk = application.getBean(Desk.class);
        rentals = application.getBean(Rentals.class);
    }

    @AfterAll
    static void stop() {
        application.close();
        alpha.close();
    }

    private static final Map<String, Misuse> MISUSES = new LinkedHashMap<>();

    static {
        atStart();
        atTheCall();
        inTheLog();
    }

    private static void atStart() {
        MISUSES.put("self-invocation", () -> refused(Misused.SelfishTrips.class));
        MISUSES.put(
                "no-proxy",
                () -> refused(
                        Misused.PrivateDesk.class,
                        Misused.StaticTrips.class,
                        Misused.FinalTrips.class,
                        Misused.FinalDesk.class));
        MISUSES.put("missing", () -> refused(Misused.ForgetfulDesk.class));
        MISUSES.put("signature", () -> refused(Misused.StrangeDesk.class));
        MISUSES.put("confirm-and-cancel", () -> refused(Misused.SeatDesk.class, Misused.TableDesk.class));
        MISUSES.put(
                "after",
                () -> MisusePage.refusal(
                        Applications.plain().withBean(Misused.CarDesk.class).withBean(Misused.MistakenLetters.class)));
        MISUSES.put("later", () -> refused(Misused.HastyDesk.class));
        MISUSES.put(
                "two-of-one-name",
                () -> MisusePage.refusal(Applications.plain()
                        .withBean("carDesk", Misused.CarDesk.class)
                        .withBean("bikeDesk", Misused.BikeDesk.class)));
        MISUSES.put(
                "prototype",
                () -> MisusePage.refusal(Applications.plain().withUserConfiguration(Misused.Prototypes.class)));
        MISUSES.put(
                "decorator",
                () -> MisusePage.refusal(Applications.plain()
                        .withBean("roomDesk", Misused.RoomDesk.class)
                        .withBean("loudDesk", Misused.LoudDesk.class)));
        MISUSES.put("made-late", MisuseTest::madeLate);
        MISUSES.put("by-hand", () -> refused(Misused.HandMadeDesks.class));
        MISUSES.put("configurable", () -> refused(Misused.Aspect.class));
        MISUSES.put("finished-object", () -> refused(Misused.DeskRegistrar.class));
        MISUSES.put("child-context", () -> {
            List<String> said = new ArrayList<>();
            Applications.plain()
                    .run(parent -> said.addAll(MisusePage.refusal(
                            Applications.plain().withParent(parent).withBean("carDesk", Misused.CarDesk.class))));
            return said;
        });
        MISUSES.put("without-omega", () -> {
            List<String> said = new ArrayList<>();
            Applications.plain()
                    .run(parent -> said.addAll(MisusePage.refusal(new ApplicationContextRunner()
                            .withParent(parent)
                            .withBean("carDesk", Misused.CarDesk.class))));
            return said;
        });
        MISUSES.put("unreadable", () -> refused(Misused.WishDesk.class));
        MISUSES.put("meaningless", () -> refused(Misused.Insurance.class));
        MISUSES.put("no-transaction-wanted", () -> refusedWithDatabase(Misused.UntransactedDesk.class));
        MISUSES.put("read-only", () -> refusedWithDatabase(Misused.ReadingDesk.class));
        MISUSES.put("apart", () -> refusedWithDatabase(Misused.ApartDesk.class));
        MISUSES.put(
                "transactions-first",
                () -> MisusePage.refusal(Applications.withDatabase(directory)
                        .withUserConfiguration(Misused.TransactionsFirst.class)
                        .withBean(Misused.OrderedDesk.class)));
        MISUSES.put(
                "nameless",
                () -> MisusePage.refusal(Applications.plain().withPropertyValues("spring.application.name=")));
        MISUSES.put(
                "client",
                () -> started(Applications.plain()
                        .withPropertyValues("omega.fence.enabled=false")
                        .withUserConfiguration(Misused.Clients.class)));
        MISUSES.put("entity", () -> started(withoutFence().withBean(Misused.EntityDesk.class)));
        MISUSES.put("left-out", () -> started(withoutFence().withBean(Misused.CardDesk.class)));
        MISUSES.put(
                "interface-proxy", () -> started(Applications.plain().withUserConfiguration(Misused.Proxies.class)));
        MISUSES.put("no-fence", () -> started(Applications.plain().withBean(Misused.UnfencedDesk.class)));
        MISUSES.put("stream", () -> started(Applications.plain().withBean(Misused.SeatStream.class)));
    }

    private static List<String> madeLate() {
        List<String> said = new ArrayList<>();
        withoutFence().withUserConfiguration(Misused.SecretDesks.class).run(context -> {
            Throwable late = catchThrowable(() -> context.getBean("secretDesk"));
            FailureAnalysis analysis = new OmegaConfigurationFailureAnalyzer().analyze(late);
            said.add(Objects.requireNonNull(analysis).getDescription());
            said.add(Objects.requireNonNull(analysis.getAction()));
        });
        return said;
    }

    private static void atTheCall() {
        MISUSES.put("saga-in-saga", () -> thrown(() -> trips.plan(() -> trips.plan(() -> {}))));
        MISUSES.put(
                "propagation",
                () -> Stream.of(thrown(() -> trips.insure()), thrown(() -> trips.plan(() -> trips.report())))
                        .flatMap(List::stream)
                        .toList());
        MISUSES.put("end-outside", () -> thrown(() -> trips.finish()));
        MISUSES.put("transaction-around", () -> thrown(() -> inTransaction(() -> trips.plan(() -> desk.book("Ada")))));
        MISUSES.put(
                "retries-inside",
                () -> thrown(() -> trips.plan(() -> inTransaction(() -> desk.bookStubbornly("Ada")))));
        MISUSES.put(
                "cycle",
                () -> thrown(() -> trips.plan(() -> {
                    Node node = new Node();
                    node.others.add(node);
                    desk.remember(node);
                })));
        MISUSES.put("subclass", () -> thrown(() -> trips.plan(() -> desk.order(new GiftOrder()))));
        MISUSES.put(
                "not-whole",
                () -> Stream.of(
                                thrown(() ->
                                        trips.plan(() -> desk.rank(new TreeSet<>(Comparator.<String>reverseOrder())))),
                                thrown(() -> trips.plan(() -> desk.sign("Ada"))))
                        .flatMap(List::stream)
                        .toList());
        MISUSES.put(
                "too-large",
                () -> Stream.of(
                                thrown(() -> trips.plan(() -> desk.book("Ada".repeat(30_000)))),
                                thrown(() -> trips.plan(() -> desk.print("Adam"))))
                        .flatMap(List::stream)
                        .toList());
        MISUSES.put(
                "swallowed",
                () -> thrown(() -> trips.plan(() -> {
                    try {
                        desk.book("Nobody");
                    } catch (IllegalArgumentException tooBad) {
                        desk.book("Somebody");
                    }
                })));
        MISUSES.put("not-offered", MisuseTest::notOffered);
        MISUSES.put("stray-object", MisuseTest::strayObject);
        MISUSES.put(
                "event-loop",
                () -> thrown(() -> Mono.fromRunnable(() -> trips.plan(() -> desk.book("Ada")))
                        .subscribeOn(Schedulers.parallel())
                        .block()));
    }

    private static List<String> strayObject() {
        ProxyFactory proxies = new ProxyFactory(new Misused.TaxiDesk());
        proxies.setProxyTargetClass(true);
        proxies.addAdvisors(((Advised) application.getBean("north")).getAdvisors());
        Misused.TaxiDesk third = (Misused.TaxiDesk) proxies.getProxy();
        return thrown(() -> trips.plan(() -> third.drive()));
    }

    /** In a child context without an omega of its own, to whose beans its parent's advice applies. */
    private static List<String> notOffered() {
        List<String> said = new ArrayList<>();
        new ApplicationContextRunner()
                .withBean(DefaultAdvisorAutoProxyCreator.class, () -> {
                    DefaultAdvisorAutoProxyCreator creator = new DefaultAdvisorAutoProxyCreator();
                    creator.setProxyTargetClass(true);
                    return creator;
                })
                .withParent(application)
                .withBean("stray", Misused.CarDesk.class)
                .run(child -> {
                    Misused.CarDesk stray = child.getBean(Misused.CarDesk.class);
                    said.addAll(thrown(() -> trips.plan(() -> stray.book())));
                });
        return said;
    }

    private static void inTheLog() {
        MISUSES.put(
                "client-in-a-method",
                () -> logged(() -> {
                    String port = application.getEnvironment().getProperty("local.server.port");
                    trips.plan(() -> RestClient.create("http://127.0.0.1:" + port)
                            .post()
                            .uri("/rentals")
                            .retrieve()
                            .toBodilessEntity());
                }));
        MISUSES.put("repeated-call", () -> logged(() -> trips.plan(MisuseTest::chargeTwice)));
        MISUSES.put("executor", () -> {
            List<String> said = logged(() -> trips.plan(MisuseTest::handOver));
            assertThat(said).as("one for each way").hasSize(5);
            return said;
        });
        MISUSES.put("request-without-saga", () -> {
            List<String> said = new ArrayList<>();
            trips.plan(() -> said.add(answerToQuickCall()));
            return said;
        });
        MISUSES.put("dropped", MisuseTest::drop);
        MISUSES.put("left", () -> logged(() -> trips.plan(() -> trips.log(() -> rentals.leave("Ada")))));
        MISUSES.put("outside", () -> logged(() -> rentals.rent("Ada")));
        MISUSES.put("unknown", () -> logged(() -> thrown(() -> trips.plan(() -> desk.mail("Ada")))));
        MISUSES.put("remote", () -> logged(() -> thrown(() -> trips.plan(() -> desk.pay("Ada")))));
        MISUSES.put("renamed", () -> logged(MisuseTest::askForWhatWasRenamed));
    }

    private static void chargeTwice() {
        String port = application.getEnvironment().getProperty("local.server.port");
        RestClient cashier = application
                .getBean(RestClient.Builder.class)
                .baseUrl("http://127.0.0.1:" + port + "/rentals/unheard")
                .build();
        for (int attempt = 1; attempt <= 2; attempt++) {
            try {
                cashier.post().retrieve().toBodilessEntity();
                break;
            } catch (RestClientException unheard) {
                assertThat(attempt).isOne(); // And once more.
            }
        }
    }

    private static String answerToQuickCall() {
        String port = application.getEnvironment().getProperty("local.server.port");
        return application
                .getBean(RestClient.Builder.class)
                .build()
                .post()
                .uri("http://127.0.0.1:" + port + "/rentals/quick")
                .exchange((request, answer) -> StreamUtils.copyToString(answer.getBody(), StandardCharsets.UTF_8));
    }

    private static List<String> drop() {
        application
                .getBean("dropping", ThreadPoolTaskExecutor.class)
                .getThreadPoolExecutor()
                .shutdown();
        try (Warnings warnings = Warnings.ofOmega()) {
            trips.plan(() -> rentals.perhaps("Ada"));
            await().until(() -> {
                System.gc(); // Nothing else says that nobody can run it any more.
                return !warnings.said().isEmpty();
            });
            return warnings.said();
        }
    }

    private static void askForWhatWasRenamed() {
        CallbackResult answer = alpha.call(asked -> asked.setSaga("saga-1")
                .setBranch("branch-1")
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(1)
                .setName("CarDesk.cancel"));
        assertThat(answer.getFailure().getCode()).isEqualTo(CallbackFailure.Code.UNKNOWN_CALLBACK);
    }

    /** In every way that no saga comes along. */
    private static void handOver() {
        CompletableFuture.supplyAsync(() -> rentals.supply("Ada")).join();

        ExecutorService pool = Executors.newFixedThreadPool(4);
        done(pool.submit(() -> rentals.pool("Ada")));
        pool.shutdown();

        CountDownLatch both = new CountDownLatch(2); // One here, in the saga, and one elsewhere.
        List.of("Ada", "Eve").parallelStream().forEach(guest -> {
            meet(both);
            rentals.stream(guest);
        });

        Thread thread = new Thread(() -> rentals.start("Ada"));
        thread.start();
        join(thread);

        done(application.getBean(Background.class).rent("Ada"));
    }

    static Stream<String> misuses() {
        return MISUSES.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("misuses")
    void omega_says_what_the_page_says(String name) throws Exception {
        page.assertSays(name, Objects.requireNonNull(MISUSES.get(name)).said());
    }

    @Test
    void the_page_has_each_of_them_and_no_other() {
        Set<String> all = new LinkedHashSet<>(MISUSES.keySet());
        all.add("two-services"); // Alpha says it: StrangersTest.
        all.add("handed-over"); // Likewise: HandedOverTest.
        assertThat(page.names())
                .filteredOn(name -> !name.startsWith("redis-")) // RedisStartUpTest, RedisBranchesTest.
                .containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void the_pages_code_is_code_of_these_tests() throws IOException {
        page.assertCodeIsIn(
                Path.of("src/test/java/io/alphaomega/omega/spring/Misused.java"),
                Path.of("src/test/java/io/alphaomega/omega/spring/MisuseTest.java"),
                Path.of(REDIS, "RedisStartUpTest.java"),
                Path.of(REDIS, "RedisBranchesTest.java"));
    }

    @Test
    void of_timers_and_of_executors_that_hand_sagas_over_no_executor_is_suspected() throws Exception {
        AsyncTaskExecutor good = application.getBean("applicationTaskExecutor", AsyncTaskExecutor.class);
        ScheduledExecutorService timer = Executors.newSingleThreadScheduledExecutor();
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch tried = new CountDownLatch(1);
        Thread saga = new Thread(() -> trips.plan(() -> {
            begun.countDown();
            meet(tried);
        }));
        saga.start();
        assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(logged(() -> {
                    done(good.submit(() -> rentals.hand("Ada")));
                    done(timer.schedule(() -> rentals.remind("Ada"), 0, TimeUnit.SECONDS));
                }))
                .hasSize(2)
                .allMatch(said -> said.contains("Its caller is in none, or has reached it by"));
        tried.countDown();
        timer.shutdown();
        join(saga);
    }

    // ---- what is said

    private static List<String> refused(Class<?>... beans) {
        Set<String> said = new LinkedHashSet<>();
        for (Class<?> bean : beans)
            said.addAll(MisusePage.refusal(Applications.plain().withBean(bean)));
        return List.copyOf(said);
    }

    private static List<String> refusedWithDatabase(Class<?> bean) {
        return MisusePage.refusal(Applications.withDatabase(directory).withBean(bean));
    }

    private static ApplicationContextRunner withoutFence() {
        return Applications.plain().withPropertyValues("omega.fence.enabled=false");
    }

    private static List<String> started(ApplicationContextRunner runner) {
        return logged(() -> runner.run(context -> assertThat(context).hasNotFailed()));
    }

    private static List<String> thrown(Runnable call) {
        Throwable thrown = catchThrowable(call::run);
        assertThat(thrown).isNotNull();
        return List.of(String.valueOf(thrown.getMessage()));
    }

    private static List<String> logged(Runnable call) {
        try (Warnings warnings = Warnings.ofOmega()) {
            call.run();
            return warnings.said();
        }
    }

    private static void inTransaction(Runnable business) {
        new TransactionTemplate(application.getBean(PlatformTransactionManager.class))
                .executeWithoutResult(status -> business.run());
    }

    private static void meet(CountDownLatch others) {
        others.countDown();
        await().until(() -> others.getCount() == 0);
    }

    private static void done(Future<?> task) {
        await().until(task::isDone);
    }

    private static void join(Thread thread) {
        await().until(() -> !thread.isAlive());
    }
}
