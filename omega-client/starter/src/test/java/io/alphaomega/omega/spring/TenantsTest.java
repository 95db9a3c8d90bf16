package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.CallbackFailure.Code.FENCE_ROW_MISSING;
import static io.alphaomega.protocol.v1.CallbackFailure.Code.THREW;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Named.named;

import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import com.baomidou.dynamic.datasource.toolkit.DynamicDataSourceContextHolder;
import com.google.protobuf.ByteString;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.advice.AdviceOrder;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FenceFinding;
import io.alphaomega.protocol.v1.Input;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.AbstractDataSource;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.annotation.Transactional;

/** Services with a database for each tenant, and what surrounds their callbacks. */
class TenantsTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
        TENANT.remove();
    }

    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    static class Notes {
        private final JdbcClient database;
        private final List<String> seen = new CopyOnWriteArrayList<>();

        Notes(DataSource database) {
            this.database = JdbcClient.create(database);
        }

        @Transactional
        @Compensable(compensationMethod = "erase")
        public void write(String text) {
            database.sql("insert into note (text) values (?)").param(text).update();
        }

        public void erase(String text) {
            database.sql("update note set text = 'erased' where text = ?")
                    .param(text)
                    .update();
        }

        @Transactional
        @Compensable(compensationMethod = "nothing")
        public void strayFrom(String text) {
            seen.add(text);
        }

        public void nothing() {}

        List<String> seen() {
            return seen;
        }
    }

    private DataSource tenants() {
        AbstractRoutingDataSource routing = new AbstractRoutingDataSource() {
            @Override
            protected @Nullable Object determineCurrentLookupKey() {
                return TENANT.get();
            }
        };
        routing.setTargetDataSources(Map.of("red", tenant("red"), "blue", tenant("blue")));
        routing.setDefaultTargetDataSource(tenant("common"));
        routing.afterPropertiesSet();
        return routing;
    }

    private DataSource tenant(String name) {
        String url = Applications.url(directory).replace("shop.db", name + ".db");
        DataSource database = new DriverManagerDataSource(url);
        JdbcClient.create(database)
                .sql("create table if not exists note (text text)")
                .update();
        try {
            new Fence(Clock.systemUTC()).createTableIfMissing(database);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
        return database;
    }

    private List<@Nullable String> notes(String tenant) {
        return JdbcClient.create(tenant(tenant))
                .sql("select text from note")
                .query(String.class)
                .list();
    }

    static class TenantInterceptor implements CallbackInterceptor {
        @Override
        public Map<String, String> capture() {
            String tenant = TENANT.get();
            return tenant == null ? Map.of() : Map.of("tenant", tenant);
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            TENANT.set(callback.captured().get("tenant"));
            try {
                callback.proceed();
            } finally {
                TENANT.remove();
            }
        }
    }

    private ApplicationContextRunner application() {
        return Applications.shop(directory, alpha)
                .withBean(DataSource.class, this::tenants)
                .withBean(Notes.class);
    }

    interface Story {
        void tell(Shop.Counter counter, Notes notes);
    }

    private static void run(ApplicationContextRunner application, Story story) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            story.tell(context.getBean(Shop.Counter.class), context.getBean(Notes.class));
        });
    }

    private static void as(@Nullable String tenant, Runnable business) {
        TENANT.set(tenant);
        try {
            business.run();
        } finally {
            TENANT.remove();
        }
    }

    // ---- which fence

    @Test
    void each_database_has_a_fence_of_its_own_and_its_branches_say_which() {
        run(application(), (counter, notes) -> {
            for (String tenant : List.of("red", "blue", "red")) {
                as(tenant, () -> counter.run(() -> notes.write("hello")));
            }
            List<String> fences = alpha.inputs().stream()
                    .filter(Input::hasBeginBranch)
                    .map(input -> input.getBeginBranch().getFence())
                    .toList();
            assertThat(fences).allMatch(id -> id.length() == 16);
            assertThat(fences.get(0)).isEqualTo(fences.get(2)).isNotEqualTo(fences.get(1));
        });
        run(application(), (counter, notes) -> {
            as("red", () -> counter.run(() -> notes.write("after a restart")));
            List<String> fences = alpha.inputs().stream()
                    .filter(Input::hasBeginBranch)
                    .map(input -> input.getBeginBranch().getFence())
                    .toList();
            assertThat(fences.get(3)).isEqualTo(fences.get(0));
        });
    }

    /** Routers that are not Spring's, and what stands before one. */
    static List<Named<UnaryOperator<DataSource>>> routersOfOtherMakes() {
        return List.of(
                named("a router of another make", OfAnotherMake::new),
                named("a proxy in front of a router", TenantsTest::proxied),
                named("a router behind a proxy of Spring", lazy -> new LazyConnectionDataSourceProxy(proxied(lazy))));
    }

    @ParameterizedTest
    @MethodSource("routersOfOtherMakes")
    void a_router_of_any_make_leads_each_branch_to_the_fence_of_its_database(UnaryOperator<DataSource> router) {
        requireOwnFences(router.apply(tenants()), TenantsTest::as);
    }

    @Test
    void so_does_that_of_dynamic_datasource() {
        DynamicRoutingDataSource router = new DynamicRoutingDataSource(List.of());
        for (String tenant : List.of("red", "blue")) router.addDataSource(tenant, tenant(tenant));
        router.setPrimary("red");
        requireOwnFences(router, (tenant, business) -> {
            DynamicDataSourceContextHolder.push(tenant);
            try {
                business.run();
            } finally {
                DynamicDataSourceContextHolder.poll();
            }
        });
    }

    private void requireOwnFences(DataSource router, BiConsumer<String, Runnable> as) {
        ApplicationContextRunner application = Applications.shop(directory, alpha)
                .withBean("dataSource", DataSource.class, () -> router)
                .withBean(Notes.class);
        run(application, (counter, notes) -> {
            for (String tenant : List.of("red", "blue", "red")) {
                as.accept(tenant, () -> counter.run(() -> notes.write("hello")));
            }
            List<String> fences = alpha.inputs().stream()
                    .filter(Input::hasBeginBranch)
                    .map(input -> input.getBeginBranch().getFence())
                    .toList();
            assertThat(fences.get(0)).isEqualTo(fences.get(2)).isNotEqualTo(fences.get(1));
            assertThat(notes("red")).containsExactly("hello", "hello");
            assertThat(notes("blue")).containsExactly("hello");
        });
    }

    /** Knows nothing of Spring. */
    private static final class OfAnotherMake extends AbstractDataSource {
        private final DataSource router;

        OfAnotherMake(DataSource router) {
            this.router = router;
        }

        @Override
        public Connection getConnection() throws SQLException {
            return router.getConnection();
        }

        @Override
        public Connection getConnection(String user, String password) throws SQLException {
            return router.getConnection(user, password);
        }
    }

    private static DataSource proxied(DataSource router) {
        return (DataSource) Proxy.newProxyInstance(
                TenantsTest.class.getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) -> method.invoke(router, arguments));
    }

    @Test
    void a_callback_in_another_database_is_never_told_that_there_is_nothing_to_undo() {
        run(application(), (counter, notes) -> {
            as("red", () -> counter.run(() -> notes.write("hello")));
            CallbackResult result = alpha.callBack(callback -> callback.clearForwardEnded()
                    .setFence(alpha.only(Input.KindCase.BEGIN_BRANCH)
                            .getBeginBranch()
                            .getFence()));
            assertThat(result.getFailure().getCode()).isEqualTo(FENCE_ROW_MISSING);
            assertThat(result.getFailure().getCause())
                    .contains("the branch began behind the fence", "another database");
            assertThat(notes("red")).containsExactly("hello");
        });
    }

    @Test
    void alpha_is_told_what_the_fence_has_that_an_interceptor_leads_to() {
        run(application().withBean(TenantInterceptor.class), (counter, notes) -> {
            as("red", () -> counter.run(() -> notes.write("hello")));
            CallbackResult result = alpha.inquire(callback -> {});
            assertThat(result.getFound().getFinding()).as(result::toString).isEqualTo(FenceFinding.Finding.RAN);
            assertThat(notes("red")).containsExactly("hello");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class TenantChosenWithin {
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor choosing() {
            NameMatchMethodPointcut pointcut = new NameMatchMethodPointcut();
            pointcut.addMethodName("strayFrom");
            DefaultPointcutAdvisor advisor = new DefaultPointcutAdvisor(pointcut, (MethodInterceptor) invocation -> {
                TENANT.set("blue");
                return invocation.proceed();
            });
            advisor.setOrder(AdviceOrder.BRANCH + 1);
            return advisor;
        }
    }

    @Test
    void a_branch_whose_transaction_is_in_another_database_than_it_began_for_does_not_run() {
        run(application().withUserConfiguration(TenantChosenWithin.class), (counter, notes) -> {
            assertThat(catchThrowable(() -> as("red", () -> counter.run(() -> notes.strayFrom("hello")))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("strayFrom began behind the fence")
                    .hasMessageContaining("it did not run. Choose the database");
            assertThat(notes.seen()).isEmpty();
        });
    }

    @Test
    void a_branch_that_did_not_say_its_fence_is_taken_as_before() {
        run(application(), (counter, notes) -> {
            as(null, () -> counter.run(() -> notes.write("hello")));
            assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
            assertThat(notes("common")).containsExactly("erased");
        });
    }

    // ---- what surrounds callbacks

    @Test
    void what_was_captured_when_a_branch_began_is_there_before_its_callbacks_transaction_begins() {
        run(application().withBean(TenantInterceptor.class), (counter, notes) -> {
            as("red", () -> counter.run(() -> notes.write("hello")));
            assertThat(callBack().hasFailure()).isFalse();
            assertThat(notes("red")).containsExactly("erased");
            assertThat(notes("common")).isEmpty();
        });
    }

    private CallbackResult callBack() {
        return alpha.callBack(callback -> callback.setFence(
                alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch().getFence()));
    }

    @Test
    void arguments_of_a_version_that_captured_nothing_are_read_as_ever() {
        run(application().withBean(TenantInterceptor.class), (counter, notes) -> {
            as("red", () -> counter.run(() -> notes.write("hello")));
            String kept = alpha.only(Input.KindCase.BEGIN_BRANCH)
                    .getBeginBranch()
                    .getArguments()
                    .toStringUtf8();
            assertThat(kept).isEqualTo("{\"captured\":{\"tenant\":\"red\"},\"arguments\":[\"hello\"]}");
            CallbackResult result =
                    alpha.callBack(callback -> callback.setArguments(ByteString.copyFromUtf8("[\"hello\"]"))
                            .clearForwardEnded());
            assertThat(result.hasFailure())
                    .as("that the common database has nothing to undo")
                    .isFalse();
            for (String broken : List.of("{", "{\"captured\":1}", "{\"tenant\":\"red\"}", "{\"captured\":{\"a\":1}}")) {
                CallbackResult undecodable =
                        alpha.callBack(callback -> callback.setArguments(ByteString.copyFromUtf8(broken)));
                assertThat(undecodable.getFailure().getCode().name()).as(broken).isEqualTo("UNDECODABLE");
            }
        });
    }

    static class Recorder implements CallbackInterceptor {
        final List<String> seen = new CopyOnWriteArrayList<>();
        volatile boolean proceeds = true;
        volatile boolean swallows;

        /** Needs omega, as omega needs it. */
        Recorder(Omega omega) {
            assertThat(omega.sagaId()).isEmpty();
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            seen.add(callback.name() + callback.arguments() + callback.captured());
            if (!proceeds) return;
            try {
                callback.proceed();
            } catch (RuntimeException e) {
                if (!swallows) throw e;
            }
        }
    }

    @Test
    void an_interceptor_sees_what_is_called_and_cannot_make_it_a_success_that_was_none() {
        run(Applications.shop(directory, alpha).withBean(Recorder.class), application -> {
            Shop.Counter counter = application.getBean(Shop.Counter.class);
            Shop.Orders orders = application.getBean(Shop.Orders.class);
            Recorder recorder = application.getBean(Recorder.class);
            counter.run(() -> orders.order(List.of(new Shop.Item("book", 1)), "stubborn"));

            recorder.proceeds = false;
            CallbackResult nothing = alpha.callBack(callback -> {});
            assertThat(nothing.getFailure().getCode()).isEqualTo(THREW);
            assertThat(nothing.getFailure().getCause()).contains("returned without CallbackInvocation.proceed()");

            recorder.proceeds = true;
            recorder.swallows = true;
            CallbackResult swallowed = alpha.callBack(callback -> {});
            assertThat(swallowed.getFailure().getCause()).isEqualTo("IllegalStateException: not today");
            assertThat(recorder.seen)
                    .hasSize(2)
                    .allMatch(seen -> seen.equals("Shop.Orders.cancel[[Item[name=book, many=1]], stubborn]{}"));
        });
    }

    private interface Scene {
        void play(ApplicationContext application);
    }

    private static void run(ApplicationContextRunner application, Scene scene) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            scene.play(context);
        });
    }

    static class Greedy implements CallbackInterceptor {
        @Override
        public Map<String, String> capture() {
            return Map.of("everything", "x".repeat(3000));
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            callback.proceed();
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Twice {
        @Bean
        TenantInterceptor first() {
            return new TenantInterceptor();
        }

        @Bean
        TenantInterceptor second() {
            return new TenantInterceptor();
        }
    }

    @Test
    void what_is_too_much_or_said_twice_fails_the_branch_before_it_runs() {
        run(
                application().withBean(Greedy.class),
                (counter, notes) -> assertThat(catchThrowable(() -> counter.run(() -> notes.write("hello"))))
                        .isInstanceOf(SagaException.class)
                        .hasMessageContaining("have captured 3030 bytes as JSON"));
        run(
                application().withUserConfiguration(Twice.class),
                (counter, notes) -> assertThat(catchThrowable(
                                () -> as("red", () -> counter.run(() -> notes.write("hello")))))
                        .isInstanceOf(SagaException.class)
                        .hasMessageContaining("Two CallbackInterceptors capture 'tenant'"));
        assertThat(alpha.inputs()).noneMatch(Input::hasBeginBranch);
    }
}
