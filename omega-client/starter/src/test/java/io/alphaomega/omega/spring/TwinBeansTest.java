package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.MadeBeans.CarDesk;
import io.alphaomega.omega.spring.MadeBeans.Trips;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;

/** Several beans of one class, such as one for each region: each undoes what it has done itself. */
class TwinBeansTest {
    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Regions {
        @Bean
        @Primary
        CarDesk europe() {
            return new CarDesk();
        }

        @Bean
        CarDesk asia() {
            return new CarDesk();
        }
    }

    private ApplicationContextRunner application(Class<?> configuration) {
        return Applications.plain()
                .withBean(Trips.class)
                .withUserConfiguration(configuration)
                .withPropertyValues(
                        "omega.alpha.addresses=" + alpha.address(),
                        "omega.drain-timeout=100ms",
                        "omega.begin-timeout=20s");
    }

    /** Of the branch that has begun last. */
    private CallbackResult undoLast(CallbackKind kind) {
        List<Input> begins =
                alpha.inputs().stream().filter(Input::hasBeginBranch).toList();
        Input last = begins.get(begins.size() - 1);
        BeginBranch branch = last.getBeginBranch();
        return alpha.call(callback -> callback.setSaga(last.getSaga())
                .setBranch(branch.getBranch())
                .setKind(kind)
                .setAttempt(1)
                .setName((kind == CallbackKind.COMPENSATION ? branch.getCompensation() : branch.getConfirmation())
                        .getName())
                .setArguments(branch.getArguments())
                .setFenced(branch.getFenced())
                .setForwardEnded(true));
    }

    @Test
    void each_is_called_back_for_its_own_branches() {
        application(Regions.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names())
                    .containsExactly("MadeBeans.CarDesk.cancel@asia", "MadeBeans.CarDesk.cancel@europe");
            CarDesk europe = context.getBean("europe", CarDesk.class);
            CarDesk asia = context.getBean("asia", CarDesk.class);
            Trips trips = context.getBean(Trips.class);
            trips.plan(() -> asia.book("Ada"));
            assertThat(undoLast(CallbackKind.COMPENSATION).hasFailure()).isFalse();
            trips.plan(() -> europe.book("Eve"));
            assertThat(undoLast(CallbackKind.COMPENSATION).hasFailure()).isFalse();
            assertThat(said(asia)).containsExactly("car for Ada", "no car for Ada");
            assertThat(said(europe)).containsExactly("car for Eve", "no car for Eve");
        });
    }

    private static List<String> said(CarDesk desk) throws Exception {
        Object target = ((Advised) desk).getTargetSource().getTarget();
        return ((CarDesk) Objects.requireNonNull(target)).said;
    }

    static class Seats {
        final List<String> said = new CopyOnWriteArrayList<>();

        @Participate(confirmMethod = "sell", cancelMethod = "release")
        public void hold(String guest) {}

        public void sell(String guest) {
            said.add("sold to " + guest);
        }

        public void release(String guest) {
            said.add("released for " + guest);
        }
    }

    static class Letters {
        final List<String> said = new CopyOnWriteArrayList<>();

        @AfterAbort("TwinBeansTest.Seats.hold")
        public void regret(String guest) {
            said.add(guest);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Halls {
        static final Seats GREAT = new Seats();
        static final Seats SMALL = new Seats();

        @Bean
        Seats great() {
            return GREAT;
        }

        @Bean
        Seats small() {
            return SMALL;
        }
    }

    @Test
    void confirmations_and_cancellations_are_each_ones_own_and_share_what_follows() {
        Letters letters = new Letters();
        Applications.shop(directory, alpha)
                .withBean(Trips.class)
                .withUserConfiguration(Halls.class)
                .withBean(Letters.class, () -> letters)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    Trips trips = context.getBean(Trips.class);
                    trips.plan(() -> context.getBean("small", Seats.class).hold("Ada"));
                    assertThat(undoLast(CallbackKind.CONFIRMATION).hasFailure()).isFalse();
                    trips.plan(() -> context.getBean("great", Seats.class).hold("Eve"));
                    assertThat(undoLast(CallbackKind.COMPENSATION).hasFailure()).isFalse();
                    trips.plan(() -> context.getBean("small", Seats.class).hold("Bob"));
                    assertThat(undoLast(CallbackKind.COMPENSATION).hasFailure()).isFalse();
                    assertThat(Halls.SMALL.said).containsExactly("sold to Ada", "released for Bob");
                    assertThat(Halls.GREAT.said).containsExactly("released for Eve");
                    assertThat(letters.said).containsExactly("Eve", "Bob");
                });
    }

    @Test
    void an_object_that_is_none_of_them_does_not_run() {
        application(Regions.class).run(context -> {
            Advised europe = (Advised) context.getBean("europe");
            ProxyFactory another = new ProxyFactory(new CarDesk());
            another.setProxyTargetClass(true);
            another.addAdvisors(europe.getAdvisors());
            CarDesk stray = (CarDesk) another.getProxy();
            assertThatThrownBy(() -> context.getBean(Trips.class).plan(() -> stray.book("Ada")))
                    .isInstanceOf(SagaException.class)
                    .hasMessageContaining(
                            "MadeBeans.CarDesk.book did not run: its object is none of the beans [asia, europe] of its class");
        });
    }
}
