package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.protocol.v1.Input;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** What is said of propagation at start, and what holds if alpha does not hear of what has joined. */
@ExtendWith(OutputCaptureExtension.class)
class SagaPropagationTest {
    @TempDir
    Path directory;

    static class Joining {
        @SagaStart(propagation = SagaPropagation.REQUIRED, timeout = "20s", businessKey = "'joining'")
        public void run(Runnable business) {
            business.run();
        }
    }

    @Test
    void what_holds_only_where_it_begins_is_said_at_start(CapturedOutput output) {
        Applications.plain().withBean(Joining.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(output)
                    .containsOnlyOnce(
                            "SagaPropagationTest.Joining.run(Runnable) says timeout, businessKey: that holds");
        });
    }

    static class TimedMandatory {
        @SagaStart(propagation = SagaPropagation.MANDATORY, timeout = "20s", attributes = "a=b")
        public void run() {}
    }

    static class OpenSupports {
        @SagaStart(propagation = SagaPropagation.SUPPORTS, autoClose = false)
        public void run() {}
    }

    static class AbortingNever {
        @SagaStart(propagation = SagaPropagation.NEVER, noAbortFor = RuntimeException.class)
        public void run() {}
    }

    static class UniqueOfNothing {
        @SagaStart(unique = true)
        public void run() {}
    }

    static class UniqueMandatory {
        @SagaStart(propagation = SagaPropagation.MANDATORY, unique = true, businessKey = "'a'")
        public void run() {}
    }

    @Test
    void what_would_never_hold_keeps_the_service_from_starting() {
        refused(UniqueOfNothing.class, "is unique, but has no businessKey");
        refused(UniqueMandatory.class, "says businessKey, unique, but with propagation MANDATORY it begins no saga");
        refused(TimedMandatory.class, "says timeout, attributes, but with propagation MANDATORY it begins no saga");
        refused(OpenSupports.class, "says autoClose, but with propagation SUPPORTS it begins no saga");
        refused(AbortingNever.class, "says noAbortFor, but with propagation NEVER it runs in no saga");
    }

    private static void refused(Class<?> bean, String sentence) {
        Applications.plain().withBean(bean).run(context -> assertRefused(context, sentence));
    }

    @Test
    void a_saga_is_not_committed_while_alpha_has_not_heard_that_what_joined_it_threw() {
        try (SmallAlpha alpha = new SmallAlpha()) {
            alpha.silentOn = input -> input.getAbort().getCause().contains("no seat");
            Applications.impatientShop(directory, alpha).withBean(Joining.class).run(context -> {
                Joining joining = context.getBean(Joining.class);
                Shop.Orders orders = context.getBean(Shop.Orders.class);
                AtomicReference<Throwable> swallowed = new AtomicReference<>();
                Throwable thrown =
                        catchThrowable(() -> context.getBean(Shop.Counter.class).run(() -> {
                            orders.orderWithoutTransaction("book");
                            swallowed.set(catchThrowable(() -> joining.run(() -> {
                                throw new Shop.OutOfStock("no seat");
                            })));
                        }));

                assertThat(thrown).isInstanceOf(SagaAbortedException.class).hasMessageContaining("had joined the saga");
                assertThat(swallowed.get()).isExactlyInstanceOf(Shop.OutOfStock.class);
                assertThat(List.of(swallowed.get().getSuppressed()))
                        .singleElement()
                        .asString()
                        .contains("alpha has not answered");
                assertThat(alpha.kinds()).doesNotContain(Input.KindCase.END);
            });
        }
    }
}
