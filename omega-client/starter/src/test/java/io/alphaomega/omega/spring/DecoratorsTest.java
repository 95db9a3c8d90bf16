package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.MadeBeans.AnnotatedDesk;
import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Desk;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.protocol.v1.Input.KindCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Desks that pass on their calls to other desks: a call that would be undone twice is refused. */
class DecoratorsTest {
    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    private ApplicationContextRunner application() {
        return Applications.plain()
                .withBean(Trips.class)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms",
                        "omega.begin-timeout=20s");
    }

    static class RealDesk implements AnnotatedDesk {
        final List<String> said = new ArrayList<>();

        @Override
        public void book(String guest) {
            said.add("room for " + guest);
        }

        @Override
        public void cancel(String guest) {
            said.add("no room for " + guest);
        }
    }

    static class LoudDesk implements AnnotatedDesk {
        private final AnnotatedDesk inner;

        LoudDesk(@Qualifier("real") AnnotatedDesk inner) {
            this.inner = inner;
        }

        @Override
        public void book(String guest) {
            inner.book(guest.toUpperCase(Locale.ROOT));
        }

        @Override
        public void cancel(String guest) {
            inner.cancel(guest.toUpperCase(Locale.ROOT));
        }
    }

    static class ManyDesks implements AnnotatedDesk {
        private final List<AnnotatedDesk> all;

        ManyDesks(@Qualifier("real") List<AnnotatedDesk> all) {
            this.all = all;
        }

        @Override
        public void book(String guest) {
            all.forEach(each -> each.book(guest));
        }

        @Override
        public void cancel(String guest) {
            all.forEach(each -> each.cancel(guest));
        }
    }

    static class BetterCars extends CarDesk {
        private final CarDesk cars;

        BetterCars(@Qualifier("real") CarDesk cars) {
            this.cars = cars;
        }

        @Override
        public void book(String guest) {
            cars.book(guest);
        }
    }

    @Test
    void what_holds_another_branch_by_the_same_annotation_is_refused() {
        application()
                .withBean("real", RealDesk.class)
                .withBean("loud", LoudDesk.class)
                .run(
                        context -> assertRefused(
                                context,
                                "DecoratorsTest.LoudDesk.book(String) and DecoratorsTest.RealDesk.book(String) are branches by one annotation, that of MadeBeans.AnnotatedDesk.book(String), and the bean 'loud' holds the bean 'real' in its field 'inner'"));
        application()
                .withBean("real", RealDesk.class)
                .withBean("many", ManyDesks.class)
                .run(context -> assertRefused(context, "the bean 'many' holds the bean 'real' in its field 'all'"));
        application()
                .withBean("real", CarDesk.class)
                .withBean("better", BetterCars.class)
                .run(context -> assertRefused(
                        context,
                        "that of MadeBeans.CarDesk.book(String)",
                        "holds the bean 'real' in its field 'cars'"));
    }

    static class LateDesk implements AnnotatedDesk {
        private final ObjectProvider<RealDesk> inner;

        LateDesk(ObjectProvider<RealDesk> inner) {
            this.inner = inner;
        }

        @Override
        public void book(String guest) {
            inner.getObject().book(guest);
        }

        @Override
        public void cancel(String guest) {
            inner.getObject().cancel(guest);
        }
    }

    @Test
    void what_asks_for_another_at_the_call_is_refused_before_that_runs() {
        application()
                .withBean("real", RealDesk.class)
                .withBean("late", LateDesk.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    AnnotatedDesk late = context.getBean("late", AnnotatedDesk.class);
                    assertThatThrownBy(() -> context.getBean(Trips.class).plan(() -> late.book("Ada")))
                            .isInstanceOf(SagaException.class)
                            .hasMessageStartingWith(
                                    "DecoratorsTest.RealDesk.book did not run: it was called within the branch DecoratorsTest.LateDesk.book, and both are branches by one annotation, that of MadeBeans.AnnotatedDesk.book(String)");
                    assertThat(alpha.kinds().stream().filter(KindCase.BEGIN_BRANCH::equals))
                            .hasSize(1);
                });
    }

    /** Passes on what the annotated class does, and has no annotation itself. */
    static class PlainLoudDesk implements Desk {
        private final Desk inner;

        PlainLoudDesk(@Qualifier("real") Desk inner) {
            this.inner = inner;
        }

        @Override
        public void book(String guest) {
            inner.book(guest);
        }

        @Override
        public void cancel(String guest) {
            inner.cancel(guest);
        }
    }

    @Test
    void where_the_annotation_is_on_what_does_the_work_a_call_is_one_branch_and_undone_once() {
        CarDesk cars = new CarDesk();
        application()
                .withBean("real", CarDesk.class, () -> cars)
                .withBean("loud", PlainLoudDesk.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Desk loud = context.getBean("loud", Desk.class);
                    context.getBean(Trips.class).plan(() -> loud.book("Ada"));
                    assertThat(alpha.callBack(any -> {}).hasFailure()).isFalse();
                    assertThat(cars.said).containsExactly("car for Ada", "no car for Ada");
                });
    }
}
