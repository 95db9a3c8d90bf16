package io.alphaomega.omega.spring;

import static io.alphaomega.protocol.v1.Input.KindCase.ABORT;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPendingException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Pending;
import io.micrometer.context.ContextSnapshotFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MDC;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Sagas as their initiator lives them, against an alpha on a real socket. */
class SagaJourneyTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_saga_commits_when_its_method_returns() {
        run((counter, orders) -> {
            assertThat(counter.sell("book")).isEqualTo("R-Ada");

            assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, END);
            Input begin = alpha.only(BEGIN_BRANCH);
            assertThat(begin.getSaga()).matches("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
            assertThat(begin.getBeginBranch().getEndTravels()).isTrue();
            assertThat(begin.getCarried().getBegin().getOperation()).isEqualTo("Shop.Counter.sell");
            assertThat(begin.getCarried().getService()).isEqualTo("shop");
            assertThat(begin.getCarried().getInstance()).isNotEmpty();
            Input end = alpha.only(END);
            assertThat(end.getEnd().getWait()).isTrue();
            assertThat(end.getCarried().hasBegin()).isFalse();
            assertThat(alpha.carriedEnds())
                    .containsExactly(begin.getBeginBranch().getBranch());
            assertThat(alpha.inputs()).allMatch(input -> input.getSaga().equals(begin.getSaga()));
            assertThat(orders.all()).containsExactly("book ORDERED");
            assertThat(SagaContext.current()).isEmpty();
            assertThat(MDC.get(SagaContext.MDC_SAGA)).isNull();
        });
    }

    @Test
    void alpha_is_told_the_time_that_the_saga_has_left() {
        run((counter, orders) -> {
            counter.run(() -> {
                await().pollDelay(Duration.ofMillis(50)).until(() -> true);
                orders.orderWithoutTransaction("book");
            });
            assertThat(alpha.begins().get(0).getPolicy().getTimeoutMillis()).isBetween(1L, 300_000L - 50);
        });
    }

    @Test
    void alpha_is_told_what_the_method_says_its_sagas_are_found_by_but_nothing_that_cannot_be_told() {
        run((counter, orders) -> {
            counter.sell("book");
            assertThat(alpha.begins().get(0).getAttributesMap())
                    .containsOnly(entry("channel", "counter"), entry("item", "book of 4"));
            assertThat(alpha.begins().get(0).getBusinessKey()).isEqualTo("item book");
            counter.sell("a book of more than 256 characters: " + "x".repeat(256));
            assertThat(alpha.begins().get(1).getAttributesMap()).containsOnly(entry("channel", "counter"));
            assertThat(alpha.begins().get(1).getBusinessKey()).isEmpty();
        });
    }

    @Test
    void an_eager_saga_begins_before_its_method_runs() {
        run(Applications.shop(directory, alpha).withPropertyValues("omega.saga.begin=EAGER"), (counter, orders) -> {
            counter.sell("book");
            assertThat(alpha.kinds()).containsExactly(BEGIN, BEGIN_BRANCH, END);
            assertThat(alpha.only(BEGIN).getBegin().getPolicy().getTimeoutMillis())
                    .isEqualTo(20_000);
            assertThat(alpha.begins()).hasSize(1);
        });
    }

    @Test
    void alpha_never_hears_of_a_saga_without_branches() {
        run((counter, orders) -> {
            counter.run(() -> {});
            assertThatThrownBy(() -> counter.run(() -> {
                        throw new Shop.OutOfStock("none");
                    }))
                    .isExactlyInstanceOf(Shop.OutOfStock.class);
            assertThat(alpha.inputs()).isEmpty();
        });
    }

    @Test
    void an_exception_aborts_the_saga_and_reaches_the_caller() {
        run((counter, orders) -> {
            assertThatThrownBy(() -> counter.run(() -> {
                        orders.orderWithoutTransaction("book");
                        throw new Shop.OutOfStock("none");
                    }))
                    .isExactlyInstanceOf(Shop.OutOfStock.class)
                    .hasNoSuppressedExceptions();
            assertThat(alpha.only(ABORT).getAbort().getCause()).isEqualTo("OutOfStock: none");
            assertThat(alpha.kinds()).doesNotContain(END);
        });
    }

    @Test
    void an_exception_that_does_not_abort_is_thrown_after_the_commit() {
        run((counter, orders) -> {
            assertThatThrownBy(() -> counter.sellAllTheSame("book")).isExactlyInstanceOf(Shop.Harmless.class);
            assertThat(alpha.kinds()).endsWith(END).doesNotContain(ABORT);
        });
    }

    @Test
    void an_exception_that_does_not_abort_gives_way_to_the_news_that_somebody_else_did() {
        alpha.observer = input -> {
            if (input.hasEnd()) alpha.abort(input.getSaga(), Aborted.Cause.SAGA_TIMED_OUT, "", "too late");
        };
        run((counter, orders) -> assertThatThrownBy(() -> counter.sellAllTheSame("book"))
                .isExactlyInstanceOf(SagaAbortedException.class)
                .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasOnlyElementsOfType(Shop.Harmless.class)));
    }

    @Test
    void a_saga_that_somebody_else_aborted_is_never_reported_as_done() {
        alpha.observer = input -> {
            if (input.hasEnd()) alpha.abort(input.getSaga(), Aborted.Cause.BRANCH_TIMED_OUT, "b7", "too slow");
        };
        run((counter, orders) -> {
            SagaAbortedException aborted = catchThrowableOfType(SagaAbortedException.class, () -> counter.sell("book"));
            assertThat(aborted.reason()).isEqualTo(SagaAbortedException.Cause.BRANCH_TIMED_OUT);
            assertThat(aborted.branch()).contains("b7");
            assertThat(aborted.text()).isEqualTo("too slow");
            assertThat(aborted.saga()).isEqualTo(alpha.only(END).getSaga());
        });
    }

    @Test
    void a_swallowed_exception_of_a_branch_does_not_turn_into_a_commit() {
        run((counter, orders) -> {
            assertThatThrownBy(() -> counter.run(() -> {
                        try {
                            orders.order(List.of(new Shop.Item("unicorn", 1)), "Ada");
                        } catch (Shop.OutOfStock swallowed) {
                            // As careless code does.
                        }
                    }))
                    .isInstanceOf(SagaAbortedException.class)
                    .hasMessageContaining("no unicorns left");
            assertThat(alpha.only(FAIL_BRANCH).getFailBranch().getRolledBack()).isTrue();
        });
    }

    @Test
    void without_alpha_nothing_begins_and_the_caller_is_told_at_once() {
        alpha.close();
        run(Applications.shop(directory, alpha).withPropertyValues("omega.begin-timeout=3s"), (counter, orders) -> {
            assertThatThrownBy(() -> counter.sell("book"))
                    .isInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining(alpha.address());
            assertThat(orders.runs()).isZero();
        });
    }

    @Test
    void without_a_decision_the_outcome_is_unknown() {
        alpha.silentOn = Input::hasEnd;
        run(
                Applications.shop(directory, alpha).withPropertyValues("omega.saga.decision-timeout=300ms"),
                (counter, orders) -> assertThatThrownBy(() -> counter.sell("book"))
                        .isInstanceOf(SagaOutcomeUnknownException.class)
                        .hasMessageContaining("did not say within PT0.3S"));
    }

    @Test
    void a_saga_that_nobody_waits_for_is_pending_by_type() {
        alpha.answer = input -> input.hasEnd() ? Ack.newBuilder().setPending(Pending.getDefaultInstance()) : null;
        run((counter, orders) -> {
            assertThatThrownBy(() -> counter.sellWithoutWaiting("book")).isInstanceOf(SagaPendingException.class);
            assertThat(alpha.only(END).getEnd().getWait()).isFalse();
        });
    }

    @Test
    void a_saga_can_be_aborted_without_an_exception() {
        run((counter, orders) -> {
            assertThatThrownBy(counter::thinkBetterOfIt)
                    .isInstanceOf(SagaAbortedException.class)
                    .hasMessageContaining("changed their mind");
        });
    }

    @Test
    void a_saga_inside_a_saga_is_refused() {
        run((counter, orders) -> {
            AtomicReference<Throwable> inner = new AtomicReference<>();
            counter.run(() -> {
                try {
                    counter.sell("book");
                } catch (SagaException refused) {
                    inner.set(refused);
                }
            });
            assertThat(inner.get()).hasMessageContaining("it did not run. It may join that one");
            assertThat(alpha.inputs()).isEmpty();
        });
    }

    @Test
    void a_saga_left_open_is_ended_by_another_method_on_another_thread() {
        run((counter, orders) -> {
            AtomicReference<Runnable> handedOver = new AtomicReference<>();
            counter.open(() -> {
                orders.orderWithoutTransaction("book");
                handedOver.set(
                        ContextSnapshotFactory.builder().build().captureAll().wrap(counter::close));
            });
            await().until(() -> !alpha.carriedEnds().isEmpty());
            assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN);
            assertThat(SagaContext.current()).isEmpty();

            Executor another = task -> {
                Thread thread = new Thread(task);
                thread.start();
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
            };
            another.execute(handedOver.get());
            assertThat(alpha.kinds()).containsExactly(BEGIN_BRANCH, BEGIN, END);
        });
    }

    @Test
    void what_ends_a_saga_is_refused_outside_of_one() {
        run((counter, orders) -> assertThatThrownBy(counter::close)
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("outside"));
    }

    @Test
    void outside_sagas_a_participant_works_as_ever() {
        run((counter, orders) -> {
            orders.orderWithoutTransaction("book");
            assertThat(orders.all()).containsExactly("book ORDERED");
            assertThat(alpha.inputs()).isEmpty();
        });
    }

    private void run(BiConsumer<Shop.Counter, Shop.Orders> test) {
        run(Applications.shop(directory, alpha), test);
    }

    private static void run(ApplicationContextRunner application, BiConsumer<Shop.Counter, Shop.Orders> test) {
        application.run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(Shop.Counter.class), context.getBean(Shop.Orders.class));
            assertThat(context.getBean(Omega.class).sagaId()).isEmpty();
        });
    }
}
