package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure.Code;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Suspension;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Several builds of a service side by side: that one of them cannot is not the service's verdict. */
class BuildsTest extends OnOneNode {
    @ParameterizedTest
    @EnumSource(
            value = Code.class,
            names = {"UNDECODABLE", "UNKNOWN_CALLBACK", "FENCE_ROW_MISSING", "OTHER_FENCE"})
    void what_one_build_cannot_undo_another_that_is_connected_does_at_once(Code code) {
        TestOmega ran = of("1.4", "h-1");
        TestOmega next = of("1.5", "h-2");
        aborted(ran);
        ran.vanish();
        Callback callback = next.callback();
        TestOmega back = of("1.4", "h-3");

        next.fail(callback, code);

        back.succeed(back.callback());
        await().until(this::hasEnded);
        assertThat(next.callbacks).isEmpty();
        assertThat(events()).hasAtLeastOneElementOfType(SagaEvent.CallbackDeferred.class);
        assertThat(events()).noneMatch(SagaEvent.CallbackFailed.class::isInstance);
        assertThat(suspensions()).isEmpty();
    }

    @Test
    void while_the_build_that_ran_the_branch_is_connected_no_other_is_asked() {
        TestOmega ran = of("1.4", "h-1");
        TestOmega same = of("1.4", "h-2");
        TestOmega next = of("1.5", "h-3");
        aborted(ran);
        ran.vanish();

        same.succeed(same.callback());

        await().until(this::hasEnded);
        assertThat(next.callbacks).isEmpty();
    }

    @Test
    void the_saga_is_suspended_at_once_when_no_build_can_and_goes_on_by_itself_when_one_connects_that_can() {
        TestOmega omega = of("1.4", "h-1");
        aborted(omega);
        omega.fail(omega.callback(), Code.UNDECODABLE);
        await().until(() -> !suspensions().isEmpty());
        assertThat(suspensions().getFirst().reason()).isEqualTo(Suspension.Reason.UNDECODABLE);

        TestOmega mended = of("1.5", "h-2");

        mended.succeed(mended.callback());
        await().until(this::hasEnded);
        assertThat(events()).hasAtLeastOneElementOfType(SagaEvent.Resumed.class);
        assertThat(omega.callbacks).isEmpty();
    }

    @Test
    void a_build_that_cannot_is_asked_once_however_often_its_instances_connect() {
        TestOmega omega = of("1.4", "h-1");
        aborted(omega);
        omega.fail(omega.callback(), Code.UNDECODABLE);
        await().until(() -> !suspensions().isEmpty());

        TestOmega again = of("1.4", "h-2");
        omega.vanish();
        TestOmega more = of("1.4", "h-3");
        TestOmega mended = of("1.5", "h-4");

        mended.succeed(mended.callback());
        await().until(this::hasEnded);
        assertThat(again.callbacks).isEmpty();
        assertThat(more.callbacks).isEmpty();
    }

    @Test
    void an_older_omega_that_says_no_build_is_told_from_another_by_what_it_can_run() {
        TestOmega older = omega("h-1");
        aborted(older);
        older.fail(older.callback(), Code.UNDECODABLE);
        await().until(() -> !suspensions().isEmpty());

        TestOmega newer = of("1.5", "h-2");

        newer.succeed(newer.callback());
        await().until(this::hasEnded);
    }

    private TestOmega of(String build, String instance) {
        return closedLater(TestOmega.welcomed(alpha.server.port(), service, instance, build));
    }

    private void aborted(TestOmega omega) {
        omega.ask(begin(1, saga));
        omega.run(saga, "b");
        omega.ask(abort(3, saga));
    }

    private boolean hasEnded() {
        return events().stream().anyMatch(SagaEvent.Ended.class::isInstance);
    }

    private List<SagaEvent> events() {
        return store.journal(new SagaId(saga));
    }

    private List<Suspension> suspensions() {
        return events().stream()
                .filter(SagaEvent.Suspended.class::isInstance)
                .map(event -> ((SagaEvent.Suspended) event).suspension())
                .toList();
    }
}
