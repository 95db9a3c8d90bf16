package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.r2dbc.spi.ConnectionFactory;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.r2dbc.core.DatabaseClient;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** A service that returns Monos, on real databases: its branches are fenced, and no thread of Reactor's waits. */
@Tag("watched")
class FencedMonosTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @BeforeAll
    static void watch() {
        Databases.watch();
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    @OmegaTest
    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableTransactionManagement
    @Import({Desk.class, Trips.class})
    static class Travel {
        @Bean
        R2dbcTransactionManager transactions(ConnectionFactory connections) {
            return new R2dbcTransactionManager(connections);
        }

        @Bean
        DatabaseClient database(ConnectionFactory connections) {
            return DatabaseClient.create(connections);
        }
    }

    static class Desk {
        private final DatabaseClient database;

        Desk(DatabaseClient database) {
            this.database = database;
            execute("create table if not exists trip (what varchar(64), state varchar(64))")
                    .then(execute("delete from trip"))
                    .block(LIMIT);
        }

        private Mono<Void> execute(String sql) {
            return database.sql(sql).then();
        }

        List<String> all() {
            return Objects.requireNonNull(database.sql("select concat(what, ' ', state) from trip order by what")
                    .map(row -> Objects.requireNonNull(row.get(0, String.class)))
                    .all()
                    .collectList()
                    .block(LIMIT));
        }

        @Transactional
        @Compensable(compensationMethod = "cancel")
        public Mono<String> book(String what) {
            return execute("insert into trip values ('" + what + "', 'BOOKED')").thenReturn("R-" + what);
        }

        public Mono<Void> cancel(String what, String receipt) {
            return execute("update trip set state = 'CANCELLED " + receipt + "' where what = '" + what + "'");
        }

        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public Mono<String> hold(String what) {
            return execute("insert into trip values ('" + what + "', 'HELD')").thenReturn("T-" + what);
        }

        public Mono<Void> sell(String what, String ticket) {
            return execute("update trip set state = 'SOLD " + ticket + "' where what = '" + what + "'");
        }

        public Mono<Void> release(String what) {
            return execute("delete from trip where what = '" + what + "'");
        }
    }

    static class Trips {
        private final Desk desk;

        Trips(Desk desk) {
            this.desk = desk;
        }

        @SagaStart
        public Mono<String> plan(boolean fails) {
            return desk.book("car")
                    .then(desk.hold("seat"))
                    .flatMap(ticket ->
                            fails ? Mono.error(new IllegalStateException("rain is forecast")) : Mono.just(ticket));
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRESQL") // The driver of MariaDB reads files of its own when it logs in.
    void branches_are_fenced_compensated_and_confirmed_and_no_thread_waits(Databases database) {
        TestAlpha alpha = new TestAlpha();
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Travel.class)
                .web(WebApplicationType.NONE)
                .properties("spring.application.name=travel", "spring.main.banner-mode=off")
                .initializers(context -> {
                    context.getBeanFactory().registerSingleton("alpha", alpha);
                    context.getBeanFactory().registerSingleton("connections", database.connections());
                })
                .run()) {
            Trips trips = application.getBean(Trips.class);
            Desk desk = application.getBean(Desk.class);

            // From a thread on which nothing may wait.
            Mono<String> failing = trips.plan(true).subscribeOn(Schedulers.parallel());
            assertThatThrownBy(() -> failing.block(LIMIT)).hasMessage("rain is forecast");
            assertThat(alpha.saga()).compensated("FencedMonosTest.Desk.hold", "FencedMonosTest.Desk.book");
            assertThat(desk.all()).containsExactly("car CANCELLED R-car");

            assertThat(trips.plan(false).subscribeOn(Schedulers.parallel()).block(LIMIT))
                    .isEqualTo("T-seat");
            assertThat(alpha.sagas().get(1)).confirmed("FencedMonosTest.Desk.hold");
            assertThat(desk.all()).contains("car BOOKED", "seat SOLD T-seat");
        }
    }
}
