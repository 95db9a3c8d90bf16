package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** What is said at start about confirmations, and about what follows a decision. */
class AfterDecisionStartUpTest {
    @TempDir
    Path directory;

    // ---- tries

    static class SeatShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public String hold(String seat) {
            return seat;
        }

        public void sell(String seat, String held) {}

        public void release(String seat) {}
    }

    @Test
    void a_try_offers_both_callbacks() {
        database(SeatShop.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names())
                    .containsExactly(
                            "AfterDecisionStartUpTest.SeatShop.release", "AfterDecisionStartUpTest.SeatShop.sell");
        });
    }

    static class NoConfirmationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String seat) {}

        public void release(String seat) {}
    }

    static class NoCancellationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String seat) {}

        public void sell(String seat) {}
    }

    static class OtherConfirmationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String seat) {}

        public void sell(int seat) {}

        public void release(String seat) {}
    }

    static class OneMethodShop {
        @Participate(confirmMethod = "settle", cancelMethod = "settle")
        public void hold(String seat) {}

        public void settle(String seat) {}
    }

    static class BothKindsShop {
        @Compensable(compensationMethod = "release")
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String seat) {}

        public void sell(String seat) {}

        public void release(String seat) {}
    }

    static class OneNameShop {
        @Participate(confirmMethod = "sell", confirmName = "seat", cancelMethod = "release", cancelName = "seat")
        public void hold(String seat) {}

        public void sell(String seat) {}

        public void release(String seat) {}
    }

    @Test
    void a_confirmation_and_a_cancellation_must_be_there_and_fit() {
        refused(NoConfirmationShop.class, "hold(String) names the confirmation 'sell', but", "has no such method");
        refused(NoCancellationShop.class, "hold(String) names the cancellation 'release', but", "has no such method");
        refused(OtherConfirmationShop.class, "The confirmation of", "must be one of sell(String), sell(), found");
        refused(OneMethodShop.class, "names 'settle' both to confirm and to cancel");
        refused(BothKindsShop.class, "hold(String) is both @Compensable and @Participate");
        refused(OneNameShop.class, "Two callbacks are named 'seat'");
    }

    static class FutureConfirmationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold() {}

        public CompletableFuture<String> sell() {
            return CompletableFuture.completedFuture("");
        }

        public void release() {}
    }

    static class AsyncCancellationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold() {}

        public void sell() {}

        @Async
        public void release() {}
    }

    static class TriedConfirmationShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold() {}

        @Participate(confirmMethod = "hold", cancelMethod = "release")
        public void sell() {}

        public void release() {}
    }

    static class UnstoredResultShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release", storeResult = false)
        public String hold() {
            return "";
        }

        public void sell(String held) {}

        public void release() {}
    }

    static class PrivateTryShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        private void hold() {}

        public void sell() {
            hold();
        }

        public void release() {}
    }

    static class HurriedShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release", reverseTimeLimit = "10s", reverseTimeout = "11s")
        public void hold() {}

        public void sell() {}

        public void release() {}
    }

    @Test
    void callbacks_of_a_try_are_checked_as_compensations_are() {
        refused(FutureConfirmationShop.class, "sell() is a confirmation and returns a CompletableFuture");
        refused(AsyncCancellationShop.class, "release() is a cancellation and @Async");
        refused(TriedConfirmationShop.class, "is a confirmation and @Participate itself");
        refused(UnstoredResultShop.class, "says storeResult = false, but its confirmation");
        refused(PrivateTryShop.class, "PrivateTryShop.hold() is @Participate but private");
        refused(HurriedShop.class, "@Participate on", "has reverseTimeout PT11S for one attempt");
    }

    static class OwnTransactionShop {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold() {}

        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void sell() {}

        public void release() {}
    }

    @Test
    void a_confirmation_commits_together_with_the_fence() {
        database(OwnTransactionShop.class)
                .run(context -> assertRefused(context, "sell() is a confirmation and would not run in the fence's"));
    }

    interface Seats {
        void hold();
    }

    static class HiddenConfirmationShop implements Seats {
        @Override
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold() {}

        public void sell() {}

        public void release() {}
    }

    @Test
    void a_callback_that_a_proxy_by_interface_does_not_have_is_refused() {
        plain(HiddenConfirmationShop.class)
                .withPropertyValues("spring.aop.proxy-target-class=false")
                .run(context -> assertRefused(context, "no interface has the method"));
    }

    // ---- what follows

    static class Desk {
        @Compensable(compensationMethod = "undo")
        public String book(String guest) {
            return guest;
        }

        public void undo(String guest) {}
    }

    static class Letters {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank(String guest, String result) {}

        @AfterAbort("AfterDecisionStartUpTest.Desk.book")
        public void apologize() {}
    }

    @Test
    void what_follows_a_commit_is_offered_as_a_confirmation() {
        database(Letters.class).withBean(Desk.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names())
                    .containsExactly("AfterDecisionStartUpTest.Desk.undo", "AfterDecisionStartUpTest.Letters.thank");
        });
    }

    static class WrongNameLetters {
        @AfterCommit("Desk.book")
        public void thank() {}
    }

    static class WrongParametersLetters {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank(int guests) {}
    }

    static class NothingLetters {
        @AfterAbort({})
        public void apologize() {}
    }

    static class BranchLetters {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        @Compensable(compensationMethod = "burn")
        public void thank() {}

        public void burn() {}
    }

    static class SagaLetters {
        @AfterAbort("AfterDecisionStartUpTest.Desk.book")
        @SagaStart
        public void apologize() {}
    }

    static class AsyncLetters {
        @Async
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank() {}
    }

    static class TwoLetters {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank() {}

        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void bill() {}
    }

    static class OtherTransactionLetters {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        @Transactional(propagation = Propagation.REQUIRES_NEW)
        public void thank() {}
    }

    @Test
    void what_follows_must_be_of_a_branch_of_this_service_and_fit() {
        refusedLetters(
                WrongNameLetters.class,
                "thank() is @AfterCommit of 'Desk.book', but this service has no such branch, only"
                        + " [AfterDecisionStartUpTest.Desk.book]");
        refusedLetters(
                WrongParametersLetters.class,
                "thank(int) is @AfterCommit of 'AfterDecisionStartUpTest.Desk.book', but must be one of thank(String),"
                        + " thank(String, String), thank()");
        refusedLetters(NothingLetters.class, "apologize() is @AfterAbort of nothing");
    }

    @Test
    void what_follows_is_nothing_else_and_done_when_it_returns() {
        refusedLetters(BranchLetters.class, "thank() is @AfterCommit and @Compensable");
        refusedLetters(SagaLetters.class, "apologize() is @AfterAbort and @SagaStart");
        refusedLetters(AsyncLetters.class, "thank() is @AfterCommit and @Async");
        refusedLetters(
                TwoLetters.class, "Two methods are @AfterCommit of 'AfterDecisionStartUpTest.Desk.book'", "bill()");
        refusedLetters(OtherTransactionLetters.class, "thank() is @AfterCommit and would not run in the fence's");
    }

    static class Overloads {
        @Compensable(compensationMethod = "undo", name = "one")
        public void book(String guest) {}

        @Compensable(compensationMethod = "undo", name = "two")
        public void book(String guest, int many) {}

        public void undo(String guest) {}

        public void undo(String guest, int many) {}
    }

    static class VagueLetters {
        @AfterAbort("AfterDecisionStartUpTest.Overloads.book")
        public void apologize() {}
    }

    static class ExactLetters {
        @AfterAbort("AfterDecisionStartUpTest.Overloads.book")
        public void apologize(String guest, int many) {}
    }

    @Test
    void of_two_methods_of_one_name_the_parameters_choose() {
        database(ExactLetters.class)
                .withBean(Overloads.class)
                .run(context -> assertThat(context).hasNotFailed());
        database(VagueLetters.class)
                .withBean(Overloads.class)
                .run(context -> assertRefused(context, "which may be any of", "Overloads.book(String, int)"));
    }

    static class SharingDesk {
        @Compensable(compensationMethod = "undo")
        public void book(String guest) {}

        @Compensable(compensationMethod = "undo")
        public void bookAll(String guest) {}

        public void undo(String guest) {}
    }

    static class HalfLetters {
        @AfterAbort("AfterDecisionStartUpTest.SharingDesk.book")
        public void apologize(String guest) {}
    }

    static class WholeLetters {
        @AfterAbort({"AfterDecisionStartUpTest.SharingDesk.book", "AfterDecisionStartUpTest.SharingDesk.bookAll"})
        public void apologize(String guest) {}
    }

    @Test
    void branches_that_share_a_compensation_share_what_follows() {
        database(WholeLetters.class)
                .withBean(SharingDesk.class)
                .run(context -> assertThat(context).hasNotFailed());
        database(HalfLetters.class)
                .withBean(SharingDesk.class)
                .run(context -> assertRefused(
                        context,
                        "share the callback 'AfterDecisionStartUpTest.SharingDesk.undo', but not what is @AfterAbort"));
    }

    static class TwoReadingsDesk {
        @Compensable(compensationMethod = "undo")
        public void book(String guest) {}

        @Compensable(compensationMethod = "undo")
        public String draw() {
            return "";
        }

        public void undo() {}
    }

    static class TwoReadingsLetters {
        @AfterAbort({"AfterDecisionStartUpTest.TwoReadingsDesk.book", "AfterDecisionStartUpTest.TwoReadingsDesk.draw"})
        public void apologize(String guestOrResult) {}
    }

    @Test
    void what_follows_a_shared_compensation_takes_the_same_of_all_branches() {
        database(TwoReadingsLetters.class)
                .withBean(TwoReadingsDesk.class)
                .run(context -> assertRefused(context, "share the callback", "but not what is @AfterAbort"));
    }

    static class EitherWay {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank() {}

        @AfterAbort("AfterDecisionStartUpTest.Desk.book")
        public void apologize() {}
    }

    static class UnfencedDesk {
        @Compensable(compensationMethod = "undo", fenced = false)
        public void book() {}

        public void undo() {}
    }

    static class ThankfulLetters {
        @AfterCommit("AfterDecisionStartUpTest.UnfencedDesk.book")
        public void thank() {}
    }

    static class UnfencedLetters {
        @AfterAbort("AfterDecisionStartUpTest.UnfencedDesk.book")
        public void apologize() {}
    }

    @Test
    void what_follows_a_compensation_needs_the_fence() {
        plain(EitherWay.class)
                .withBean(Desk.class)
                .run(context -> assertRefused(context, "follows a callback, but without the fence nobody knows"));
        database(UnfencedLetters.class)
                .withBean(UnfencedDesk.class)
                .run(context -> assertRefused(context, "follows a callback, but without the fence nobody knows"));
        database(ThankfulLetters.class)
                .withBean(UnfencedDesk.class)
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void a_lazy_bean_has_what_follows_too() {
        plain(Desk.class)
                .withBean(ThankfulOnly.class, ThankfulOnly::new, definition -> definition.setLazyInit(true))
                .run(context -> assertThat(
                                context.getBean(OfferedCallbacks.class).names())
                        .hasSize(2));
    }

    static class ThankfulOnly {
        @AfterCommit("AfterDecisionStartUpTest.Desk.book")
        public void thank() {}
    }

    @Test
    void a_bean_that_is_no_singleton_is_refused() {
        database(Desk.class)
                .withBean(ThankfulOnly.class, ThankfulOnly::new, definition -> definition.setScope("prototype"))
                .run(context -> assertRefused(context, "thank() is @AfterCommit, but its bean", "is not a singleton"));
    }

    private void refused(Class<?> shop, String... sentences) {
        plain(shop).run(context -> assertRefused(context, sentences));
    }

    private void refusedLetters(Class<?> letters, String... sentences) {
        database(letters).withBean(Desk.class).run(context -> assertRefused(context, sentences));
    }

    private static <T> ApplicationContextRunner plain(Class<T> bean) {
        return Applications.plain().withBean(bean);
    }

    private <T> ApplicationContextRunner database(Class<T> bean) {
        return Applications.withDatabase(directory).withBean(bean);
    }
}
