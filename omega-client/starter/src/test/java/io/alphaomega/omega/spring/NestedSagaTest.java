package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_NESTED_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.PendingReports;
import io.alphaomega.omega.context.SagaCarrier;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is told of a saga in a saga, and what becomes of the outer one if alpha does not answer. */
class NestedSagaTest {
    private final SmallAlpha alpha = new SmallAlpha();

    static class Outer {
        private final Inner inner;

        Outer(Inner inner) {
            this.inner = inner;
        }

        /** Swallows what the inner one throws, but for its caller. */
        @SagaStart
        public Throwable run(Runnable business) {
            return catchThrowable(() -> inner.run(business));
        }
    }

    static class Inner {
        private final AtomicInteger runs = new AtomicInteger();

        @SagaStart(propagation = SagaPropagation.NESTED, timeout = "20s")
        public void run(Runnable business) {
            runs.incrementAndGet();
            business.run();
        }

        int runs() {
            return runs.get();
        }
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    private interface Story {
        void tell(Outer outer, Inner inner);
    }

    /** @param limits short ones, where alpha is silent on something */
    private void run(Story story, String... limits) {
        alpha.answer = input -> isEndOfInner(input) ? SmallAlpha.accepted() : null;
        Applications.plain()
                .withBean(Inner.class)
                .withBean(Outer.class)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.drain-timeout=100ms") // Alpha is silent at times, and stays so.
                .withPropertyValues(limits)
                .run(context -> story.tell(context.getBean(Outer.class), context.getBean(Inner.class)));
    }

    private boolean isEndOfInner(Input input) {
        return input.hasEnd() && !input.getSaga().equals(outerSaga());
    }

    private String outerSaga() {
        return alpha.only(BEGIN_NESTED_BRANCH).getSaga();
    }

    private void requireAborted(Outer outer, Runnable business) {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> outer.run(business))
                .withMessageContaining("did not say what became of saga")
                .satisfies(aborted -> assertThat(aborted.saga()).isEqualTo(outerSaga()));
        assertThat(alpha.failed().getRolledBack()).isFalse();
    }

    @Test
    void the_branch_comes_first_and_its_end_travels_with_the_end_of_the_outer_saga() {
        run((outer, inner) -> {
            assertThat(outer.run(() -> {})).isNull();

            assertThat(alpha.kinds()).containsExactly(BEGIN_NESTED_BRANCH, BEGIN_NESTED, END, END);
            Input branch = alpha.only(BEGIN_NESTED_BRANCH);
            Input begin = alpha.only(BEGIN_NESTED);
            assertThat(branch.getCarried().hasBegin()).isTrue();
            assertThat(branch.getBeginNestedBranch().getSaga()).isEqualTo(begin.getSaga());
            assertThat(branch.getBeginNestedBranch().getBranch().getTimeoutMillis())
                    .as("longer than that of the saga")
                    .isGreaterThan(20_000);
            assertThat(begin.getBeginNested().getParentSaga()).isEqualTo(branch.getSaga());
            assertThat(begin.getBeginNested().getBegin().getPolicy().getTimeoutMillis())
                    .isEqualTo(20_000);
            assertThat(alpha.inputs().get(3).getCarried().getEndedList())
                    .containsExactly(begin.getBeginNested().getParentBranch());
        });
    }

    @Test
    void an_end_that_alpha_does_not_answer_aborts_the_outer_saga() {
        alpha.silentOn = this::isEndOfInner;
        run((outer, inner) -> requireAborted(outer, () -> {}), "omega.saga.decision-timeout=1s");
    }

    @Test
    void an_abort_that_alpha_does_not_answer_aborts_the_outer_saga() {
        alpha.silentOn =
                input -> input.hasAbort() && input.getAbort().getCause().contains("no seat");
        run(
                (outer, inner) -> requireAborted(outer, () -> {
                    throw new IllegalStateException("no seat");
                }),
                "omega.ack-timeout=300ms");
    }

    @Test
    void what_alpha_does_not_let_begin_does_not_run() {
        alpha.silentOn = Input::hasBeginNested;
        run(
                (outer, inner) -> {
                    requireAborted(outer, () -> {});
                    assertThat(inner.runs()).isZero();
                },
                "omega.begin-timeout=3s");
    }

    @Test
    void a_branch_that_alpha_does_not_answer_fails_by_the_name_of_its_own_saga() {
        alpha.silentOn = Input::hasBeginNestedBranch;
        run(
                (outer, inner) -> {
                    requireAborted(outer, () -> {});
                    assertThat(alpha.only(FAIL_BRANCH).getFailBranch().getCause())
                            .endsWith(alpha.only(BEGIN_NESTED_BRANCH)
                                    .getBeginNestedBranch()
                                    .getSaga());
                },
                "omega.begin-timeout=3s");
    }

    @Test
    void an_alpha_that_is_too_old_is_told_nothing_of_the_inner_saga() {
        run((outer, inner) -> {
            alpha.answer = input -> input.hasBeginNestedBranch()
                    ? Ack.newBuilder().setRejected(Rejected.newBuilder().setReason("INVALID"))
                    : null;
            assertThat(outer.run(() -> {})).isInstanceOf(SagaRejectedException.class);

            assertThat(inner.runs()).isZero();
            assertThat(alpha.kinds()).doesNotContain(BEGIN_NESTED, FAIL_BRANCH);
        });
    }

    static class Open {
        @SagaStart(propagation = SagaPropagation.NESTED, autoClose = false, unique = true, businessKey = "'a'")
        public void run() {}
    }

    @Test
    void what_cannot_be_a_part_of_a_saga_keeps_the_service_from_starting() {
        Applications.plain()
                .withBean(Open.class)
                .run(context -> Applications.assertRefused(
                        context, "says autoClose = false, unique, but with propagation NESTED it begins a part"));
    }

    // ---- how long fences must last

    static class Patient {
        @Compensable(compensationMethod = "undo", reverseTimeLimit = "2d")
        public void order() {}

        public void undo() {}
    }

    @Test
    void a_saga_in_one_that_lasts_longer_than_the_rows_of_the_fence_does_not_begin(@TempDir Path directory) {
        Applications.withDatabase(directory)
                .withBean(Inner.class)
                .withBean(Patient.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.fence.retention=3d")
                .run(context -> {
                    Inner inner = context.getBean(Inner.class);
                    within(Duration.ofHours(1), () -> inner.run(() -> {}));
                    assertThat(inner.runs()).isOne();
                    int told = alpha.inputs().size();

                    assertDoesNotBegin(() -> within(Duration.ofDays(2), () -> inner.run(() -> {})));
                    assertThat(inner.runs()).isOne();
                    assertThat(alpha.inputs()).hasSize(told);
                });
    }

    private static void assertDoesNotBegin(ThrowingCallable call) {
        assertThatExceptionOfType(SagaException.class)
                .isThrownBy(call)
                .withMessageStartingWith(
                        "NestedSagaTest.Inner.run did not begin: omega.fence.retention is PT72H, but the saga")
                .withMessageContaining("may be compensated up to PT48H30S after that");
    }

    static class Middle {
        @SagaStart(propagation = SagaPropagation.NESTED, timeout = "20s")
        public void run(Runnable business) {
            business.run();
        }
    }

    @Test
    void nor_does_one_in_a_short_one_of_another_service_that_is_itself_in_one_that_lasts_longer(
            @TempDir Path directory) {
        Map<String, String> message = new HashMap<>();
        Applications.plain()
                .withBean(Middle.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address())
                .run(context -> within(
                        Duration.ofDays(2),
                        () -> context.getBean(Middle.class)
                                .run(() -> context.getBean(SagaCarrier.class)
                                        .send("orders", SagaCarrier.Headers.of(message)))));

        Applications.withDatabase(directory)
                .withBean(Inner.class)
                .withBean(Patient.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.fence.retention=3d")
                .run(context -> {
                    Inner inner = context.getBean(Inner.class);
                    SagaCarrier carrier = context.getBean(SagaCarrier.class);
                    assertDoesNotBegin(() -> carrier.receive(message::get, "1", () -> {
                        inner.run(() -> {});
                        return inner;
                    }));
                    assertThat(inner.runs()).isZero();
                });
    }

    @Test
    void a_branch_in_code_whose_row_would_be_gone_before_the_outermost_saga_is_decided_does_not_run(
            @TempDir Path directory) {
        CompensationHandler<String> undo = CompensationHandler.of("undo", String.class, what -> {});
        SagaSettings settings = SagaSettings.named("Code.order").propagation(SagaPropagation.SUPPORTS);
        List<String> done = new ArrayList<>();
        Applications.withDatabase(directory)
                .withBean(Inner.class)
                .withBean("undo", CompensationHandler.class, () -> undo)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.fence.retention=3d")
                .run(context -> {
                    SagaTemplate sagas = context.getBean(SagaTemplate.class);
                    Inner inner = context.getBean(Inner.class);
                    Runnable order = () -> inner.run(() -> sagas.executeWithoutResult(
                            settings,
                            saga -> saga.branch("order")
                                    .compensateWith(undo, "pen")
                                    .run(() -> done.add("pen"))));
                    assertThatExceptionOfType(SagaException.class)
                            .isThrownBy(() -> within(Duration.ofDays(2), order))
                            .withMessageStartingWith("order did not run: omega.fence.retention is PT72H, but the saga")
                            .withMessageContaining("may be compensated up to PT24H30S after that");
                    assertThat(done).isEmpty();

                    within(Duration.ofHours(47), order);
                    assertThat(done).containsExactly("pen");
                });
    }

    /** In a saga of another service that has that much time left. */
    private static void within(Duration left, Runnable business) {
        String outer = UUID.randomUUID().toString();
        SagaContext.received(outer, "", "call", System.nanoTime() + left.toNanos(), "", PendingReports.nothing(outer))
                .run(business);
    }
}
