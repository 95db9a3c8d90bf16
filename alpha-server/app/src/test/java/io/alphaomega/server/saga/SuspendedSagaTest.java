package io.alphaomega.server.saga;

import static io.alphaomega.server.saga.SagaBench.abort;
import static io.alphaomega.server.saga.SagaBench.begin;
import static io.alphaomega.server.saga.SagaBench.beginBranch;
import static io.alphaomega.server.saga.SagaBench.endBranch;
import static org.assertj.core.api.Assertions.assertThat;

import akka.actor.typed.ActorRef;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.SagaInput;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** What people are told of a saga that waits for them, and how often. */
class SuspendedSagaTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(SagaActor.class);

    private final SagaBench bench = new SagaBench();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();

    @BeforeEach
    void listen() {
        log.start();
        LOGGER.addAppender(log);
    }

    @AfterEach
    void close() {
        LOGGER.detachAppender(log);
        bench.close();
    }

    @Test
    void a_suspension_is_told_of_once_however_often_the_saga_leaves_and_its_service_comes_back() {
        ActorRef<SagaCommand> saga = suspended("b");
        assertThat(warnings())
                .singleElement()
                .asString()
                .contains(bench.id.value(), "UNDECODABLE", "branch b", "hotel");

        for (int i = 0; i < 3; i++) {
            saga.tell(SagaCommand.Signal.LEAVE);
            bench.kit.createTestProbe().expectTerminated(saga);
            saga = bench.owner();
            bench.decided(saga, new SagaInput.ConnectService("hotel"));
            bench.decided(saga, new SagaInput.ConnectService("hotel"));
        }

        assertThat(warnings()).hasSize(1);
    }

    @Test
    void the_next_suspension_of_a_saga_is_told_of_again() {
        ActorRef<SagaCommand> saga = suspended("b");

        bench.decided(saga, new SagaInput.Retry(new Operator("ann", "deployed 1.2"), journaled()));
        undecodable(saga, "b", 2);

        assertThat(warnings()).hasSize(2);
    }

    @Test
    void another_node_that_takes_a_suspended_saga_over_tells_of_it_once() {
        suspended("b");
        bench.alerts = new Alerts();

        for (int i = 0; i < 2; i++) bench.decided(bench.owner(), new SagaInput.ConnectService("hotel"));

        assertThat(warnings()).hasSize(2);
    }

    private ActorRef<SagaCommand> suspended(String branch) {
        ActorRef<SagaCommand> saga = bench.owner();
        bench.decided(saga, begin());
        bench.decided(saga, beginBranch(branch));
        bench.decided(saga, endBranch(branch));
        bench.decided(saga, abort());
        undecodable(saga, branch, 1);
        return saga;
    }

    private void undecodable(ActorRef<SagaCommand> saga, String branch, int attempt) {
        bench.decided(
                saga,
                new SagaInput.FailCallback(
                        new BranchId(branch),
                        CallbackKind.COMPENSATION,
                        attempt,
                        FailureCode.UNDECODABLE,
                        "no such class",
                        "hotel"));
    }

    private long journaled() {
        return bench.journal().size();
    }

    private List<String> warnings() {
        return log.list.stream()
                .filter(event -> event.getLevel() == Level.WARN)
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.contains("suspended"))
                .toList();
    }
}
