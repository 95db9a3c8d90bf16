package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Who answers is who was asked: a service says nothing of another's branches. */
class OtherServiceTest extends OnOneNode {
    private final String car = "car-" + saga;

    @Test
    void the_end_of_another_services_branch_is_refused_and_both_services_are_named() {
        TestOmega hotel = omega("h-1");
        TestOmega rental = omega(car, "c-1");
        hotel.ask(begin(1, saga));
        assertThat(hotel.ask(beginBranch(2, saga, "b")).hasAccepted()).isTrue();

        Ack ended = rental.ask(endBranch(1, saga, "b"));
        Ack failed = rental.ask(input(2, saga)
                .setFailBranch(FailBranch.newBuilder().setBranch("b").setCause("not mine"))
                .build());

        for (Ack refused : new Ack[] {ended, failed}) {
            assertThat(refused.getRejected().getReason()).isEqualTo("OTHER_SERVICE");
            assertThat(refused.getRejected().getText()).contains("service " + service, "service " + car);
        }
        assertThat(hotel.ask(end(3, saga, false)).hasPending()).isTrue();
        assertThat(omega("h-2").ask(endBranch(1, saga, "b")).hasAccepted())
                .as("any instance of the service may say it")
                .isTrue();
    }

    @Test
    void a_callback_is_not_answered_by_another_service_which_is_counted_and_logged_once_in_a_while() {
        ListAppender<ILoggingEvent> log = new ListAppender<>();
        Logger logger = (Logger) LoggerFactory.getLogger("io.alphaomega.server.saga.WrongAnswers");
        log.start();
        logger.addAppender(log);
        double before = refusals();
        TestOmega hotel = omega("h-1");
        TestOmega rental = omega(car, "c-1");
        hotel.ask(begin(1, saga));
        hotel.run(saga, "b");
        hotel.ask(abort(3, saga));
        Callback callback = hotel.callback();

        rental.succeed(callback);
        rental.fail(callback, CallbackFailure.Code.UNDECODABLE);
        rental.fail(callback, CallbackFailure.Code.BUSY);

        await().until(() -> refusals() == before + 3);
        logger.detachAppender(log);
        assertThat(log.list).singleElement().asString().contains("Service " + car, saga, "is of service " + service);
        assertThat(store.journal(new SagaId(saga)))
                .last()
                .as("nothing comes of it")
                .isInstanceOf(SagaEvent.CallbackRequested.class);
        omega("h-2").succeed(callback);
        await().until(() -> store.journal(new SagaId(saga)).getLast() instanceof SagaEvent.Ended);
    }

    private static double refusals() {
        return alpha.node.count("alpha.saga.refusals", "reason", "OTHER_SERVICE");
    }
}
