package io.alphaomega.samples.booking.processes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.TccStart;
import io.alphaomega.samples.booking.Sqlite;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;

/** A service that tries, and then confirms or cancels, in two instances with one database; alpha is a real one. */
@Tag("processes")
@Tag("long")
@ExtendWith(StageExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ConfirmationsTest {
    private static final String OPEN = "theatre.open";

    private final Stage stage;
    private final List<ConfigurableApplicationContext> instances = new ArrayList<>();
    private ConfigurableApplicationContext first;

    ConfirmationsTest(Stage stage) {
        this.stage = stage;
    }

    /** One instance. */
    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({Sqlite.class, Book.class, Seats.class, Bar.class, Evenings.class})
    static class Theatre {}

    /** What was done, in the database that the instances share. */
    static class Book {
        private final JdbcClient database;

        Book(JdbcClient database) {
            this.database = database;
            database.sql("create table if not exists done (what text not null)").update();
        }

        void add(String what) {
            database.sql("insert into done (what) values (?)").param(what).update();
        }

        List<String> of(String guest) {
            return database.sql("select what from done where what like ? order by rowid")
                    .param("%" + guest)
                    .query((row, number) -> row.getString(1))
                    .list();
        }
    }

    /** Seats are held, then sold or released. */
    static class Seats {
        private final Book book;

        Seats(Book book) {
            this.book = book;
        }

        @Participate(
                confirmMethod = "sell",
                cancelMethod = "release",
                reverseRetries = 99,
                reverseRetryDelay = "100ms",
                reverseMaxDelay = "200ms")
        @Transactional
        public String hold(String guest) {
            book.add("hold for " + guest);
            return "7 for " + guest;
        }

        @Transactional
        public void sell(String guest, String seat) {
            book.add("sell " + seat);
            if (!Boolean.getBoolean(OPEN)) throw new IllegalStateException("the box office is closed");
        }

        @Transactional
        public void release(String guest) {
            book.add("release for " + guest);
        }
    }

    /** Drinks are poured, and poured away; and notes are left about it. */
    static class Bar {
        private final Book book;

        Bar(Book book) {
            this.book = book;
        }

        @Compensable(compensationMethod = "pourAway")
        @Transactional
        public void pour(String guest) {
            book.add("drink for " + guest);
        }

        @Transactional
        public void pourAway(String guest) {
            book.add("no drink for " + guest);
        }

        @AfterCommit("ConfirmationsTest.Bar.pour")
        @Transactional
        public void charge(String guest) {
            book.add("bill for " + guest);
        }

        @AfterAbort("ConfirmationsTest.Bar.pour")
        @Transactional
        public void regret(String guest) {
            book.add("regrets for " + guest);
        }
    }

    /** Where an evening begins. */
    static class Evenings {
        private final Seats seats;
        private final Bar bar;
        private final Omega omega;

        Evenings(Seats seats, Bar bar, Omega omega) {
            this.seats = seats;
            this.bar = bar;
            this.omega = omega;
        }

        @TccStart(timeout = "1m")
        public String plan(String guest, boolean rain) {
            seats.hold(guest);
            bar.pour(guest);
            if (rain) throw new IllegalArgumentException("it rains");
            return omega.sagaId().orElseThrow();
        }
    }

    @BeforeAll
    void open() {
        System.setProperty(OPEN, "true");
        first = instance();
    }

    @AfterAll
    void close() {
        System.clearProperty(OPEN);
        instances.forEach(ConfigurableApplicationContext::close);
    }

    private ConfigurableApplicationContext instance() {
        ConfigurableApplicationContext instance = new SpringApplicationBuilder(Theatre.class)
                .web(WebApplicationType.NONE)
                .run(
                        "--spring.application.name=theatre",
                        "--sample.data=" + stage.directory,
                        "--omega.alpha.addresses=" + stage.grpc,
                        "--omega.begin-timeout=30s",
                        "--management.otlp.metrics.export.enabled=false",
                        "--omega.alpha.reconnect-delay-max=200ms");
        instances.add(instance);
        return instance;
    }

    private static Evenings evenings(ConfigurableApplicationContext instance) {
        return instance.getBean(Evenings.class);
    }

    private static List<String> done(ConfigurableApplicationContext instance, String guest) {
        return instance.getBean(Book.class).of(guest);
    }

    @Test
    void what_was_tried_is_confirmed_and_what_follows_the_commit_is_done() {
        String saga = evenings(first).plan("ann", false);

        assertThat(stage.api.awaitEnd(saga)).isEqualTo("COMMITTED");
        assertThat(done(first, "ann"))
                .containsExactly("hold for ann", "drink for ann", "sell 7 for ann", "bill for ann");
    }

    @Test
    void what_was_tried_is_cancelled_and_what_follows_the_abort_is_done() {
        assertThatThrownBy(() -> evenings(first).plan("bob", true)).hasMessage("it rains");

        await().untilAsserted(() -> assertThat(done(first, "bob"))
                .containsExactly(
                        "hold for bob", "drink for bob", "no drink for bob", "regrets for bob", "release for bob"));
    }

    @Test
    void a_confirmation_that_is_owed_is_called_in_another_instance_and_by_the_next_alpha() {
        System.setProperty(OPEN, "false");
        ConfigurableApplicationContext dying = instance();
        String saga = evenings(dying).plan("carl", false);
        await().until(() -> stage.api.history(saga).toString().contains("callback"));
        stage.alpha.kill();
        dying.close();
        System.setProperty(OPEN, "true");
        stage.recover();

        assertThat(stage.api.awaitEnd(saga)).isEqualTo("COMMITTED");
        assertThat(done(first, "carl"))
                .containsExactly("hold for carl", "drink for carl", "sell 7 for carl", "bill for carl");
    }
}
