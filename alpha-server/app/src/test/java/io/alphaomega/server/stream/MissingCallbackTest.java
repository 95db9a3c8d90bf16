package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** A service that connects without a callback that open sagas need is named before anybody is asked for it. */
class MissingCallbackTest extends OnOneNode {
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger(CallbackNeeds.class);

    @BeforeEach
    void listen() {
        log.start();
        logger.addAppender(log);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(log);
    }

    private TestOmega of(String build, String instance, String... callbacks) {
        return closedLater(TestOmega.offering(alpha.server.port(), service, instance, build, callbacks));
    }

    private List<String> named() {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains(service))
                .toList();
    }

    @Test
    void a_build_that_lacks_what_a_running_saga_may_need_is_named_while_nobody_has_asked_for_it() {
        TestOmega ran = of("1.4", "h-1", "cancel");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");
        TestOmega next = of("1.5", "h-2", "undo");

        ran.vanish();

        await().until(() -> !named().isEmpty());
        assertThat(named())
                .containsExactly(
                        "Service " + service + " is connected without callback cancel, which open sagas need or"
                                + " may need (1 of those that were looked at): no connected instance offers it. Start a build that"
                                + " does, or give the callback that takes its place this name as an alias.");
        assertThat(alpha.needs.of(service)).containsExactly(new Lack("cancel", 1, false));
        assertThat(store.journal(new SagaId(saga))).noneMatch(SagaEvent.CallbackRequested.class::isInstance);
        assertThat(next.callbacks).isEmpty();

        of("1.6", "h-3", "undo", "cancel");

        await().until(() -> alpha.needs.of(service).isEmpty());
        assertThat(named()).hasSize(1);
    }

    @Test
    void sagas_that_wait_for_a_service_are_looked_at_before_it_is_asked() {
        // Nothing but the service wakes it: it has waited since a time that has not come.
        Instant later =
                Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS).plus(Duration.ofHours(1));
        new WrittenSaga(store, saga, later)
                .begun("")
                .began("b", service)
                .ended("b")
                .aborted("ann", "wrong")
                .missed("b");

        TestOmega without = of("1.5", "h-2", "undo");

        assertThat(without.callback().getName()).isEqualTo("rooms.cancel");
        assertThat(named()).singleElement().asString().contains("without callback rooms.cancel", "(1 of those");
    }

    @Test
    void what_an_older_build_or_another_node_offers_is_not_missing_and_an_alias_is_as_good() {
        TestOmega ran = of("1.4", "h-1", "cancel");
        ran.ask(begin(1, saga));
        ran.run(saga, "b");

        TestOmega next = of("1.5", "h-2", "undo");
        assertThat(next.ask(abort(1, saga)).hasAborted()).isTrue();
        ran.succeed(ran.callback());

        await().until(() -> store.journal(new SagaId(saga)).getLast() instanceof SagaEvent.Ended);
        assertThat(named()).isEmpty();
    }
}
