package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.RunningShop.calledByAnother;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN;
import static io.alphaomega.protocol.v1.Input.KindCase.BEGIN_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.END_BRANCH;
import static io.alphaomega.protocol.v1.Input.KindCase.FAIL_BRANCH;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.advice.AdviceOrder;
import io.alphaomega.omega.spring.template.DefaultOmega;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import io.micrometer.context.ContextSnapshotFactory;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.Advisor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.NameMatchMethodPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;

/** Branches as a participant lives them, against an alpha on a real socket and a SQLite database. */
class BranchJourneyTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void alpha_is_asked_first_and_told_what_it_needs_to_undo_the_branch() {
        run(app -> {
            app.counter().run(calledByAnother(() -> app.orders().order(List.of(new Shop.Item("book", 2)), "Ada")));

            BeginBranch begin = alpha.only(BEGIN_BRANCH).getBeginBranch();
            assertThat(begin.getBranch()).matches("[0-9a-f]{32}");
            assertThat(begin.getParent()).isEmpty();
            assertThat(begin.getOperation()).isEqualTo("Shop.Orders.order");
            assertThat(begin.getCompensation().getName()).isEqualTo("Shop.Orders.cancel");
            assertThat(begin.getCompensation().hasPolicy()).isFalse();
            assertThat(begin.getFenced()).isTrue();
            assertThat(begin.getArguments().toStringUtf8()).isEqualTo("[[{\"name\":\"book\",\"many\":2}],\"Ada\"]");
            assertThat(alpha.only(END_BRANCH).getEndBranch().getResult().toStringUtf8())
                    .isEqualTo("{\"number\":\"R-Ada\",\"items\":[{\"name\":\"book\",\"many\":2}]}");
        });
    }

    @Test
    void a_result_that_no_compensation_takes_stays_in_the_fence() {
        run(app -> {
            app.counter().run(calledByAnother(() -> app.orders().orderAndTell("book")));
            assertThat(alpha.only(END_BRANCH).getEndBranch().getResult().toStringUtf8())
                    .isEmpty();
        });
    }

    @Test
    void a_result_that_is_not_stored_may_be_anything_and_a_repeated_call_returns_nothing() {
        run(app -> app.counter().run(() -> {
            SagaContext here = SagaContext.current().orElseThrow();
            for (boolean again : new boolean[] {false, true}) {
                SagaContext.Scope scope = SagaContext.received(
                                here.saga(), "", "call", here.decidedByNanos(), "", here.untold())
                        .open();
                try {
                    assertThat(app.orders().orderAndForget("book") == null).isEqualTo(again);
                } finally {
                    scope.close();
                }
            }
            assertThat(app.orders().all()).containsExactly("book ORDERED");
        }));
    }

    @Test
    void the_end_of_a_branch_is_reported_when_its_transaction_has_committed() {
        AtomicReference<List<String>> seenByAlpha = new AtomicReference<>(List.of());
        run(app -> {
            alpha.observer = input -> {
                if (input.hasEndBranch()) seenByAlpha.set(app.orders().all());
            };
            app.counter().run(calledByAnother(() -> app.orders().orderWithoutTransaction("book")));
            assertThat(seenByAlpha.get()).containsExactly("book ORDERED");
        });
    }

    @Test
    void a_branch_of_an_aborted_saga_is_refused_and_its_business_does_not_run() {
        alpha.observer = input -> {
            if (input.hasBeginBranch()) alpha.abort(input.getSaga(), Aborted.Cause.OPERATOR, "", "stop it");
        };
        run(app -> {
            Throwable thrown = app.thrownBy(() -> app.orders().orderWithoutTransaction("book"));
            assertThat(thrown).isInstanceOf(SagaAbortedException.class).hasMessageContaining("stop it");
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.kinds()).doesNotContain(END_BRANCH, FAIL_BRANCH);
        });
    }

    @Test
    void without_an_answer_to_its_begin_the_business_does_not_run() {
        alpha.silentOn = Input::hasBeginBranch;
        RunningShop.run(Applications.shop(directory, alpha).withPropertyValues("omega.begin-timeout=3s"), app -> {
            Throwable thrown = app.thrownBy(() -> app.orders().orderWithoutTransaction("book"));
            assertThat(thrown).isInstanceOf(AlphaUnavailableException.class);
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void a_run_that_failed_does_not_speak_for_another_one_that_was_committed() {
        alpha.silentOn = Input::hasBeginBranch;
        alpha.observer = input -> {
            if (input.hasBeginBranch()) anotherRunCommits(input);
        };
        RunningShop.run(Applications.shop(directory, alpha).withPropertyValues("omega.begin-timeout=3s"), app -> {
            app.expectFailureOf(() -> app.orders().orderWithoutTransaction("book"));
            assertThat(alpha.failed().getRolledBack()).isFalse();
        });
    }

    /** As a repeat beneath the caller does that reached another instance. */
    private void anotherRunCommits(Input begin) {
        try (Connection connection = DriverManager.getConnection(Applications.url(directory))) {
            connection.setAutoCommit(false);
            new Fence(Clock.systemUTC())
                    .forward(connection, begin.getSaga(), begin.getBeginBranch().getBranch());
            connection.commit();
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_result_that_is_too_large_for_the_saga_is_left_out() {
        alpha.answer = input -> input.getEndBranch().getResult().isEmpty()
                ? null
                : Ack.newBuilder().setRejected(Rejected.newBuilder().setReason("SAGA_TOO_LARGE"));
        run(app -> {
            app.counter().run(calledByAnother(() -> app.orders().order(List.of(), "Ada")));
            await().until(() -> alpha.inputs().stream()
                    .anyMatch(i ->
                            i.hasEndBranch() && i.getEndBranch().getResult().isEmpty()));
        });
    }

    @Test
    void a_late_answer_to_its_end_does_not_harm_a_branch_that_has_committed() {
        alpha.silentOn = Input::hasEndBranch;
        RunningShop.run(Applications.impatientShop(directory, alpha), app -> {
            app.counter().run(calledByAnother(() -> app.orders().orderWithoutTransaction("book")));
            assertThat(app.orders().all()).containsExactly("book ORDERED");
        });
    }

    @Test
    void a_branch_that_throws_is_rolled_back_and_says_so() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.orders().order(List.of(new Shop.Item("unicorn", 1)), "Ada")))
                    .isInstanceOf(Shop.OutOfStock.class);
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
            assertThat(alpha.failed().getCause()).isEqualTo("OutOfStock: no unicorns left");
        });
    }

    @Test
    void a_branch_that_rolls_back_and_returns_is_not_done() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.orders().orderAndRollBack("book")))
                    .isInstanceOf(SagaAbortedException.class);
            assertThat(alpha.failed().getRolledBack()).isTrue();
            assertThat(alpha.kinds()).doesNotContain(END_BRANCH);
        });
    }

    // ---- room for reports

    @Test
    void the_end_of_a_branch_waits_for_room() {
        RunningShop.run(
                Applications.shop(directory, alpha)
                        .withPropertyValues(
                                "omega.begin-timeout=3s", "omega.alpha.unanswered-inputs=1", "omega.saga.begin=EAGER"),
                app -> {
                    app.counter()
                            .run(() -> app.orders().within(() -> {
                                alpha.silentOn = Input::hasBegin;
                                new Thread(() -> app.thrownBy(() -> {})).start();
                                await().until(() -> Collections.frequency(alpha.kinds(), BEGIN) == 2);
                            }));
                    assertThat(alpha.kinds()).contains(END_BRANCH);
                });
    }

    @Test
    void calls_that_did_not_run_leave_room_for_the_report_of_one_that_did() {
        RunningShop.run(
                Applications.shop(directory, alpha)
                        .withPropertyValues("omega.begin-timeout=3s", "omega.alpha.unanswered-inputs=4"),
                app -> {
                    app.counter()
                            .run(() -> app.orders().within(() -> {
                                alpha.silentOn = input -> input.hasBeginBranch() || input.hasFailBranch();
                                atOnce(
                                        4,
                                        () -> assertThatThrownBy(
                                                        () -> app.orders().orderUnfenced("book"))
                                                .isInstanceOf(AlphaUnavailableException.class));
                            }));
                    assertThat(alpha.kinds()).contains(END_BRANCH);
                });
    }

    /** On so many threads, in the saga of this one. */
    private static void atOnce(int threads, Runnable task) {
        Runnable inSaga = ContextSnapshotFactory.builder().build().captureAll().wrap(task);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CompletableFuture.allOf(IntStream.range(0, threads)
                        .mapToObj(i -> CompletableFuture.runAsync(inSaga, pool))
                        .toArray(CompletableFuture[]::new))
                .join();
        pool.shutdown();
    }

    // ---- tries

    @Test
    void further_tries_stay_within_one_branch() {
        run(app -> {
            app.counter()
                    .run(calledByAnother(() ->
                            assertThat(app.orders().orderAtTheThirdTry("book")).isEqualTo("book")));
            assertThat(app.orders().runs()).isEqualTo(3);
            assertThat(app.orders().all()).containsExactly("book ORDERED");
            alpha.only(BEGIN_BRANCH);
            alpha.only(END_BRANCH);
        });
    }

    @Test
    void further_tries_are_refused_where_they_would_spoil_the_callers_transaction() {
        run(app -> {
            Throwable thrown = app.thrownBy(() -> app.transaction()
                    .executeWithoutResult(status -> app.orders().orderAtTheThirdTry("book")));
            assertThat(thrown).isInstanceOf(SagaException.class).hasMessageContaining("has forwardRetries but");
            assertThat(alpha.kinds()).doesNotContain(BEGIN_BRANCH);
        });
    }

    // ---- without a fence

    @Test
    void without_a_transaction_nobody_knows_what_an_exception_left_behind_unless_the_method_says_so() {
        run(app -> {
            app.expectFailureOf(() -> app.orders().orderUnfenced("book"));
            assertThat(alpha.failed().getRolledBack()).isFalse();
            assertThat(alpha.only(BEGIN_BRANCH).getBeginBranch().getFenced()).isFalse();
        });
    }

    @Test
    void a_method_may_say_that_its_exceptions_leave_nothing_behind() {
        run(app -> {
            app.expectFailureOf(() -> app.orders().orderCleanly("book"));
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void a_method_that_returned_has_left_something_behind_although_its_result_cannot_be_kept() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.orders().orderHugeAbroad("x")))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("The result of Shop.Orders.orderHugeAbroad: 100002 bytes");
            assertThat(alpha.failed().getRolledBack()).isFalse();
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Breaker {
        /** Stands between the branch and its method, and lets one call through. */
        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static Advisor breaker() {
            AtomicInteger calls = new AtomicInteger();
            MethodInterceptor once = invocation -> {
                if (calls.incrementAndGet() > 1) throw new IllegalStateException("open");
                return invocation.proceed();
            };
            DefaultPointcutAdvisor advisor =
                    new DefaultPointcutAdvisor(new NameMatchMethodPointcut().addMethodName("orderUnfencedTwice"), once);
            advisor.setOrder(AdviceOrder.BRANCH + 1);
            return advisor;
        }
    }

    @Test
    void a_try_that_did_not_run_does_not_speak_for_the_one_before() {
        RunningShop.run(Applications.shop(directory, alpha).withUserConfiguration(Breaker.class), app -> {
            assertThat(app.thrownBy(() -> app.orders().orderUnfencedTwice("book")))
                    .isInstanceOf(IllegalStateException.class);
            assertThat(alpha.failed().getRolledBack()).isFalse();
        });
    }

    @Test
    void without_a_fence_in_the_configuration_nothing_is_fenced() {
        RunningShop.run(Applications.shop(directory, alpha).withPropertyValues("omega.fence.enabled=false"), app -> {
            app.counter().sell("book");
            assertThat(alpha.only(BEGIN_BRANCH).getBeginBranch().getFenced()).isFalse();
        });
    }

    // ---- limits

    @Test
    void arguments_that_are_too_large_are_refused_before_anything_happens() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.orders().orderWithoutTransaction("x".repeat(70_000))))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("The arguments of Shop.Orders.orderWithoutTransaction: 70004 bytes")
                    .hasMessageContaining("at most 65536");
            assertThat(alpha.kinds()).doesNotContain(BEGIN_BRANCH);
        });
    }

    @Test
    void a_result_that_is_too_large_is_refused_before_the_commit() {
        run(app -> {
            assertThat(app.thrownBy(() -> app.orders().orderHuge("x")))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining("The result of Shop.Orders.orderHuge: 100002 bytes");
            assertThat(app.orders().all()).isEmpty();
            assertThat(alpha.failed().getRolledBack()).isTrue();
        });
    }

    @Test
    void an_omega_knows_the_branch_that_runs() {
        run(app -> app.counter().run(() -> {
            assertThat(app.omega().sagaId()).isPresent();
            assertThat(app.omega().branchId()).isEmpty();
        }));
        assertThatThrownBy(() -> new DefaultOmega((saga, reason) -> {}).abort("outside"))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("in no saga");
    }

    private void run(RunningShop.Story story) {
        RunningShop.run(Applications.shop(directory, alpha), story);
    }
}
