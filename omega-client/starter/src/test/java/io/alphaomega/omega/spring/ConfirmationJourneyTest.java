package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.TccStart;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Confirmations, and what follows a decision, as alpha asks for them, over a real socket and with a SQLite database. */
class ConfirmationJourneyTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final Notes notes = new Notes();

    /** The saga. */
    static class Box {
        @TccStart
        public void run(Runnable business) {
            business.run();
        }
    }

    /** What was done, and how often writing a letter fails before it is. */
    static class Notes {
        final List<String> done = new CopyOnWriteArrayList<>();
        final AtomicInteger failures = new AtomicInteger();
    }

    /** The participant; with callbacks that take nothing, something, everything. */
    static class Seats {
        private final List<String> done;

        Seats(Notes notes) {
            this.done = notes.done;
        }

        @Participate(confirmMethod = "sell", cancelMethod = "release", reverseRetries = 4)
        public String hold(String seat) {
            done.add("hold " + seat);
            return "ticket " + seat;
        }

        public void sell(String seat, String ticket) {
            done.add("sell " + seat + " " + ticket);
        }

        public void release() {
            done.add("release");
        }

        @Compensable(compensationMethod = "clear")
        public void paint(String seat) {
            done.add("paint " + seat);
        }

        public void clear() {
            done.add("clear");
        }

        @Participate(confirmMethod = "keep", cancelMethod = "clear", fenced = false, cancelName = "bare.clear")
        public String paintBarely(String seat) {
            return "bare " + seat;
        }

        public void keep(String seat, String painted) {
            done.add("keep " + painted);
        }
    }

    /** What follows. */
    static class Letters {
        private final Notes notes;

        Letters(Notes notes) {
            this.notes = notes;
        }

        @AfterCommit(value = "ConfirmationJourneyTest.Seats.paint", name = "painted")
        public void admire(String seat) {
            notes.done.add("admire " + seat);
        }

        @AfterAbort({"ConfirmationJourneyTest.Seats.hold", "ConfirmationJourneyTest.Seats.paint"})
        public void mourn(String seat) {
            if (notes.failures.getAndDecrement() > 0) throw new IllegalStateException("no paper");
            notes.done.add("mourn " + seat);
        }
    }

    /** Opens a transaction of its own around callbacks. */
    static class Around implements CallbackInterceptor {
        private final TransactionTemplate transaction;

        Around(PlatformTransactionManager transactions) {
            this.transaction = new TransactionTemplate(transactions);
        }

        @Override
        public void intercept(CallbackInvocation callback) {
            transaction.executeWithoutResult(status -> {
                try {
                    callback.proceed();
                } catch (RuntimeException e) {
                    throw e;
                } catch (Throwable e) {
                    throw new IllegalStateException(e);
                }
            });
        }
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_try_tells_alpha_of_both_callbacks_and_their_limits() {
        run((box, seats) -> {
            box.run(() -> seats.hold("1A"));

            BeginBranch begin = alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch();
            assertThat(begin.getCompensation().getName()).isEqualTo("ConfirmationJourneyTest.Seats.release");
            assertThat(begin.getConfirmation().getName()).isEqualTo("ConfirmationJourneyTest.Seats.sell");
            assertThat(begin.getCompensation().getPolicy().getAttempts()).isEqualTo(5);
            assertThat(begin.getConfirmation().getPolicy())
                    .isEqualTo(begin.getCompensation().getPolicy());
            assertThat(begin.getFenced()).isTrue();
        });
    }

    @Test
    void a_confirmation_gets_the_arguments_and_the_result_and_takes_effect_once() {
        run((box, seats) -> {
            box.run(() -> seats.hold("1A"));

            assertSucceeded(confirm());
            assertSucceeded(confirm());
            assertThat(notes.done).containsExactly("hold 1A", "sell 1A ticket 1A");
        });
    }

    @Test
    void a_cancellation_is_followed_once_and_takes_what_it_takes() {
        run((box, seats) -> {
            box.run(() -> seats.hold("1A"));

            assertSucceeded(cancel());
            assertSucceeded(cancel());
            assertThat(notes.done).containsExactly("hold 1A", "release", "mourn 1A");
        });
    }

    @Test
    void what_follows_is_tried_again_without_what_it_follows() {
        run((box, seats) -> {
            box.run(() -> seats.hold("1A"));
            notes.failures.set(1);

            CallbackResult first = cancel();
            assertThat(first.getFailure().getCode()).isEqualTo(CallbackFailure.Code.THREW);
            assertThat(first.getFailure().getCause())
                    .isEqualTo(
                            "it is done, but ConfirmationJourneyTest.Letters.mourn(String), which follows it, failed:"
                                    + " IllegalStateException: no paper");
            assertSucceeded(cancel());
            assertThat(notes.done).containsExactly("hold 1A", "release", "mourn 1A");
        });
    }

    @Test
    void where_an_interceptor_holds_both_in_one_transaction_both_are_tried_again() {
        run(application -> application.withBean(Around.class), (box, seats) -> {
            box.run(() -> seats.hold("1A"));
            notes.failures.set(1);

            assertThat(cancel().hasFailure()).isTrue();
            assertSucceeded(cancel());
            assertThat(notes.done).containsExactly("hold 1A", "release", "release", "mourn 1A");
        });
    }

    @Test
    void what_never_ran_has_nothing_to_cancel_and_nothing_follows() {
        alpha.silentOn = Input::hasBeginBranch;
        run(
                application -> application.withPropertyValues("omega.begin-timeout=300ms", "omega.ack-timeout=300ms"),
                (box, seats) -> {
                    assertThat(catchThrowable(() -> box.run(() -> seats.hold("1A"))))
                            .isNotNull();

                    assertSucceeded(cancel());
                    assertSucceeded(cancel());
                    assertThat(notes.done).isEmpty();
                });
    }

    @Test
    void what_follows_the_commit_of_a_compensable_is_its_confirmation() {
        run((box, seats) -> {
            box.run(() -> seats.paint("1A"));

            BeginBranch begin = alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch();
            assertThat(begin.getConfirmation().getName()).isEqualTo("painted");
            assertSucceeded(confirm());
            assertSucceeded(confirm());
            assertThat(notes.done).containsExactly("paint 1A", "admire 1A");
        });
    }

    @Test
    void without_a_fence_the_result_comes_from_alpha_and_a_confirmation_may_come_twice() {
        run((box, seats) -> {
            box.run(() -> seats.paintBarely("1A"));

            assertSucceeded(confirm());
            assertSucceeded(confirm());
            assertThat(notes.done).containsExactly("keep bare 1A", "keep bare 1A");
        });
    }

    /** As {@link SmallAlpha} does it for a compensation. */
    private CallbackResult confirm() {
        BeginBranch begin = alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch();
        Consumer<Callback.Builder> confirmation = callback -> callback.setKind(CallbackKind.CONFIRMATION)
                .setName(begin.getConfirmation().getName())
                .setFence(begin.getFence())
                .setForwardEnded(true);
        return alpha.callBack(confirmation);
    }

    private CallbackResult cancel() {
        return alpha.callBack(callback -> callback.setFence(
                alpha.only(Input.KindCase.BEGIN_BRANCH).getBeginBranch().getFence()));
    }

    private static void assertSucceeded(CallbackResult result) {
        assertThat(result.hasFailure()).as(result.toString()).isFalse();
    }

    /** What a test does. */
    private interface Story {
        void tell(Box box, Seats seats);
    }

    private void run(Story story) {
        run(UnaryOperator.identity(), story);
    }

    private void run(UnaryOperator<ApplicationContextRunner> more, Story story) {
        ApplicationContextRunner application = Applications.withDatabase(directory)
                .withBean(Box.class)
                .withBean(Notes.class, () -> notes)
                .withBean(Seats.class)
                .withBean(Letters.class)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.begin-timeout=20s",
                        "omega.ack-timeout=20s",
                        "omega.hold-for=10m",
                        "omega.drain-timeout=100ms");
        more.apply(application).run(context -> {
            assertThat(context).hasNotFailed();
            story.tell(context.getBean(Box.class), context.getBean(Seats.class));
        });
    }
}
