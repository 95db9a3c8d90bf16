package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaStart;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** A service whose next version has other names, while sagas of the last one are open. */
class RenameTest {
    @TempDir
    Path directory;

    private final TestAlpha alpha = new TestAlpha();

    static class OldDesk {
        private final Ledger ledger;

        OldDesk(Ledger ledger) {
            this.ledger = ledger;
        }

        @Compensable(compensationMethod = "cancel")
        public void book(String guest) {
            ledger.add("car for " + guest);
        }

        public void cancel(String guest) {
            ledger.add("no car for " + guest);
        }

        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public String hold(String guest) {
            ledger.add("seat held for " + guest);
            return "ticket";
        }

        public void sell(String guest, String ticket) {
            ledger.add("seat sold");
        }

        public void release(String guest) {
            ledger.add("seat released");
        }
    }

    static class NewDesk {
        private final Ledger ledger;

        NewDesk(Ledger ledger) {
            this.ledger = ledger;
        }

        @Compensable(compensationMethod = "giveBack", aliases = "RenameTest.OldDesk.cancel")
        public void rent(String guest) {
            ledger.add("rented to " + guest);
        }

        public void giveBack(String guest) {
            ledger.add("given back by " + guest);
        }

        @AfterAbort("RenameTest.NewDesk.rent")
        public void apologize(String guest) {
            ledger.add("sorry, " + guest);
        }

        @Participate(
                confirmMethod = "deliver",
                confirmAliases = "RenameTest.OldDesk.sell",
                cancelMethod = "free",
                cancelAliases = "RenameTest.OldDesk.release")
        public String reserve(String guest) {
            return "ticket";
        }

        public void deliver(String guest, String ticket) {
            ledger.add(ticket + " delivered to " + guest);
        }

        public void free(String guest) {
            ledger.add("seat of " + guest + " is free");
        }
    }

    static class Trips {
        private final OldDesk desk;

        Trips(OldDesk desk) {
            this.desk = desk;
        }

        @SagaStart(timeout = "1m", autoClose = false)
        public void begin(String guest) {
            desk.book(guest);
            desk.hold(guest);
        }

        @SagaStart(timeout = "1m")
        public void hold(String guest) {
            desk.hold(guest);
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({Trips.class, OldDesk.class, Ledger.class})
    static class Before {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({NewDesk.class, Ledger.class})
    static class After {}

    private ConfigurableApplicationContext start(Class<?> version) {
        return new SpringApplicationBuilder(version)
                .web(WebApplicationType.NONE)
                .initializers(context -> context.getBeanFactory().registerSingleton("alpha", alpha))
                .run("--spring.datasource.url=jdbc:sqlite:" + directory.resolve("desk.db"));
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void what_began_under_the_old_names_is_undone_by_the_methods_that_have_new_ones_and_what_follows_them() {
        try (ConfigurableApplicationContext before = start(Before.class)) {
            before.getBean(Trips.class).begin("Ada");
            alpha.awaitSagas(1);
        }
        try (ConfigurableApplicationContext after = start(After.class)) {
            alpha.advance(Duration.ofHours(1));

            assertThat(alpha.saga()).compensated("RenameTest.OldDesk.hold", "RenameTest.OldDesk.book");
            assertThat(after.getBean(Ledger.class).all())
                    .containsExactly(
                            "car for Ada",
                            "seat held for Ada",
                            "seat of Ada is free",
                            "given back by Ada",
                            "sorry, Ada");
        }
    }

    @Test
    void what_was_to_be_confirmed_under_the_old_name_is_confirmed_under_the_new_one() {
        try (ConfigurableApplicationContext before = start(Before.class)) {
            alpha.fail("RenameTest.OldDesk.sell");
            before.getBean(Trips.class).hold("Ada");
            alpha.requireTroublesHappened();
        }
        try (ConfigurableApplicationContext after = start(After.class)) {
            alpha.advance(Duration.ofHours(1));

            assertThat(alpha.saga()).confirmed("RenameTest.OldDesk.hold");
            assertThat(after.getBean(Ledger.class).all())
                    .containsExactly("seat held for Ada", "ticket delivered to Ada");
        }
    }
}
