package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.SagaRejectedException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Rejected;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Starts of which one alone may begin the saga, where alpha's answer is lost or is no. */
class UniqueStartTest {
    private final SmallAlpha alpha = new SmallAlpha();

    static class Orders {
        private final AtomicInteger runs = new AtomicInteger();

        @SagaStart(businessKey = "#order", unique = true)
        public void take(String order) {
            runs.incrementAndGet();
        }

        int runs() {
            return runs.get();
        }
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    private void run(String beginTimeout, Consumer<Orders> story) {
        Applications.plain()
                .withBean(Orders.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.begin-timeout=" + beginTimeout)
                .run(context -> story.accept(context.getBean(Orders.class)));
    }

    private List<String> starts() {
        return alpha.inputs().stream()
                .filter(Input::hasBeginOnce)
                .map(input -> input.getBeginOnce().getStart())
                .distinct()
                .toList();
    }

    @Test
    void a_try_after_an_answer_that_was_lost_is_the_same_start_and_the_next_is_another() {
        run("3s", orders -> {
            alpha.silentOn = Input::hasBeginOnce;
            assertThatExceptionOfType(AlphaUnavailableException.class).isThrownBy(() -> orders.take("order 7"));
            assertThat(orders.runs()).isEqualTo(0);
            alpha.silentOn = input -> false;
            orders.take("order 7");
            assertThat(orders.runs()).isEqualTo(1);
            assertThat(starts()).hasSize(1);

            orders.take("order 7");
            assertThat(starts()).hasSize(2);
            assertThat(alpha.inputs().stream().map(Input::getSaga).distinct()).hasSize(1);
            orders.take("order 8");
            assertThat(alpha.inputs().stream().map(Input::getSaga).distinct()).hasSize(2);
        });
    }

    @Test
    void an_alpha_that_knows_nothing_of_this_refuses_it_and_nothing_runs() {
        alpha.answer = input -> input.hasBeginOnce()
                ? Ack.newBuilder()
                        .setRejected(
                                Rejected.newBuilder().setReason("MALFORMED").setText("upgrade alpha first"))
                : null;
        run("20s", orders -> {
            assertThatExceptionOfType(SagaRejectedException.class)
                    .isThrownBy(() -> orders.take("order 7"))
                    .withMessageContaining("upgrade alpha first");
            assertThat(orders.runs()).isEqualTo(0);
        });
    }
}
