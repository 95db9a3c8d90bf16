package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationArgument;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaException;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.Input;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compensations that say what they are told. */
class CompensationArgumentTest {
    @TempDir
    Path directory;

    record Order(@Nullable String id, int amount) {}

    static class Desk {
        private final List<String> done = new ArrayList<>();

        /** A thread could never be kept. */
        @Compensable(compensationMethod = "refund")
        public void charge(Order order, Thread secret) {
            done.add("charged");
        }

        List<String> done() {
            return done;
        }

        public void refund(
                @CompensationArgument("#order.id") @Nullable String order,
                @CompensationArgument("#p0.amount * 2") int twice,
                @CompensationArgument("'fix'") String fix) {
            done.add(order + " " + twice + " " + fix);
        }
    }

    @Test
    void only_what_is_declared_is_kept_and_comes_back() {
        try (SmallAlpha alpha = new SmallAlpha()) {
            Applications.shop(directory, alpha).withBean(Desk.class).run(context -> {
                Desk desk = context.getBean(Desk.class);
                Runnable charge = () -> desk.charge(new Order("o-1", 21), Thread.currentThread());
                context.getBean(Shop.Counter.class).run(charge);

                String kept =
                        alpha.inputs().get(0).getBeginBranch().getArguments().toString(StandardCharsets.UTF_8);
                assertThat(kept).isEqualTo("[\"o-1\",42,\"fix\"]");
                assertThat(alpha.callBack(callback -> {}).hasFailure()).isFalse();
                assertThat(desk.done()).containsExactly("charged", "o-1 42 fix");
            });
        }
    }

    static class MisfitDesk {
        private boolean ran;

        @Compensable(compensationMethod = "refund")
        public void charge(@Nullable Object order) {
            ran = true;
        }

        public void refund(@CompensationArgument("#order") String order) {}

        boolean ran() {
            return ran;
        }
    }

    @Test
    void a_value_that_cannot_be_told_fails_the_branch_before_it_runs() {
        try (SmallAlpha alpha = new SmallAlpha()) {
            Applications.shop(directory, alpha).withBean(MisfitDesk.class).run(context -> {
                MisfitDesk desk = context.getBean(MisfitDesk.class);
                Shop.Counter counter = context.getBean(Shop.Counter.class);
                Throwable thrown = catchThrowable(() -> counter.run(() -> desk.charge(4711)));

                assertThat(thrown)
                        .isExactlyInstanceOf(SagaException.class)
                        .hasMessageContainingAll("'#order'", "is a Integer, but the parameter a String", "did not run")
                        .hasMessageNotContaining("4711");
                assertThat(desk.ran()).isFalse();
                assertThat(alpha.inputs()).isEmpty();
            });
        }
    }

    static class UnknownDesk {
        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(@CompensationArgument("#waht.length()") int length) {}
    }

    static class BeanDesk {
        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(@CompensationArgument("@other.name(#what)") String name) {}
    }

    static class UnreadableDesk {
        @Compensable(compensationMethod = "undo")
        public void order(String what) {}

        public void undo(@CompensationArgument("#what.") String what) {}
    }

    static class HalfDesk {
        @Compensable(compensationMethod = "undo")
        public void order(String what, int many) {}

        public void undo(String what, @CompensationArgument("#many") int many) {}
    }

    static class OtherResultDesk {
        @Compensable(compensationMethod = "undo")
        public String order(String what) {
            return what;
        }

        public void undo(@CompensationArgument("#what") String what, Integer result) {}
    }

    @Test
    void what_cannot_work_keeps_the_service_from_starting() {
        refused(UnknownDesk.class, "names #waht, but CompensationArgumentTest.UnknownDesk.order(String) has no such");
        refused(
                UnreadableDesk.class,
                "'#what.' of CompensationArgumentTest.UnreadableDesk.undo(String) cannot be read");
        refused(BeanDesk.class, "names @other, but");
        refused(HalfDesk.class, "HalfDesk.undo(String, int) has @CompensationArgument on some of its parameters only");
        refused(OtherResultDesk.class, "The compensation of", "OtherResultDesk.undo(String, Integer)");
    }

    static class SeatDesk {
        private final List<String> done = new ArrayList<>();

        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public String hold(Order order, Thread secret) {
            return "held";
        }

        public void sell(@Nullable String order, int amount, String result) {
            done.add("sold " + order + " " + amount + " " + result);
        }

        public void release(
                @CompensationArgument("#order.id") @Nullable String order,
                @CompensationArgument("#order.amount") int amount) {
            done.add("released " + order + " " + amount);
        }

        List<String> done() {
            return done;
        }
    }

    static class Letters {
        private final SeatDesk desk;

        Letters(SeatDesk desk) {
            this.desk = desk;
        }

        @AfterCommit("CompensationArgumentTest.SeatDesk.hold")
        public void thank(@Nullable String order, int amount) {
            desk.done().add("thanked " + order + " " + amount);
        }

        @AfterAbort("CompensationArgumentTest.SeatDesk.hold")
        public void apologize(@Nullable String order, Integer amount, String result) {
            desk.done().add("apologized " + order + " " + amount + " " + result);
        }
    }

    @Test
    void a_confirmation_and_what_follows_it_are_told_what_is_kept() {
        told(
                callback ->
                        callback.setKind(CallbackKind.CONFIRMATION).setName("CompensationArgumentTest.SeatDesk.sell"),
                "sold o-1 21 held",
                "thanked o-1 21");
    }

    @Test
    void a_cancellation_and_what_follows_it_are_told_what_is_kept() {
        told(callback -> {}, "released o-1 21", "apologized o-1 21 held");
    }

    private void told(Consumer<Callback.Builder> asked, String... done) {
        try (SmallAlpha alpha = new SmallAlpha()) {
            Applications.shop(directory, alpha)
                    .withBean(SeatDesk.class)
                    .withBean(Letters.class)
                    .run(context -> {
                        SeatDesk desk = context.getBean(SeatDesk.class);
                        Runnable hold = () -> desk.hold(new Order("o-1", 21), Thread.currentThread());
                        context.getBean(Shop.Counter.class).run(hold);

                        String kept = alpha.only(Input.KindCase.BEGIN_BRANCH)
                                .getBeginBranch()
                                .getArguments()
                                .toString(StandardCharsets.UTF_8);
                        assertThat(kept).isEqualTo("[\"o-1\",21]");
                        assertThat(alpha.callBack(asked).hasFailure()).isFalse();
                        assertThat(desk.done()).containsExactly(done);
                    });
        }
    }

    static class OwnConfirmationDesk {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String guest, int seats) {}

        public void sell(String guest, int seats) {}

        public void release(@CompensationArgument("#guest") String guest) {}
    }

    static class DeclaringConfirmationDesk {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String guest, int seats) {}

        public void sell(@CompensationArgument("#guest") String guest) {}

        public void release(@CompensationArgument("#guest") String guest) {}
    }

    static class OnlyDeclaringConfirmationDesk {
        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String guest, int seats) {}

        public void sell(@CompensationArgument("#guest") String guest) {}

        public void release(String guest, int seats) {}
    }

    static class WholeLetters {
        @AfterCommit("CompensationArgumentTest.Desk.charge")
        public void thank(Order order, Thread secret) {}
    }

    static class DeclaringLetters {
        @AfterAbort("CompensationArgumentTest.Desk.charge")
        public void apologize(@CompensationArgument("#order.id") String order) {}
    }

    @Test
    void a_callback_that_would_be_told_something_else_keeps_the_service_from_starting() {
        refused(
                OwnConfirmationDesk.class,
                "The confirmation of CompensationArgumentTest.OwnConfirmationDesk.hold(String, int) must be one of"
                        + " sell(String), sell(), found");
        refused(
                DeclaringConfirmationDesk.class,
                "DeclaringConfirmationDesk.sell(String) is a confirmation and has @CompensationArgument");
        refused(
                OnlyDeclaringConfirmationDesk.class,
                "OnlyDeclaringConfirmationDesk.hold(String, int) must be one of sell(String, int), sell(), found");
        Applications.plain()
                .withBean(Desk.class)
                .withBean(WholeLetters.class)
                .run(context -> assertRefused(
                        context,
                        "thank(Order, Thread) is @AfterCommit of 'CompensationArgumentTest.Desk.charge', but must be one of"
                                + " thank(String, int, String), thank()"));
        Applications.plain()
                .withBean(Desk.class)
                .withBean(DeclaringLetters.class)
                .run(context ->
                        assertRefused(context, "apologize(String) is @AfterAbort and has @CompensationArgument"));
    }

    private static void refused(Class<?> bean, String... sentences) {
        Applications.plain().withBean(bean).run(context -> assertRefused(context, sentences));
    }
}
