package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.SagaAbortedEvent;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaCommittedEvent;
import io.alphaomega.omega.SagaDecidedEvent;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Pending;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.event.EventListener;
import reactor.core.publisher.Mono;

/** What listeners of an application hear of its sagas. */
class SagaEventsTest {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    @TempDir
    Path directory;

    private final SmallAlpha alpha = new SmallAlpha();
    private final Listener listener = new Listener();

    /** Notes what it hears, and may throw. */
    static class Listener {
        private final List<SagaDecidedEvent> heard = new ArrayList<>();
        private boolean throwing;
        private boolean inSaga;

        @EventListener
        void hear(SagaDecidedEvent event) {
            heard.add(event);
            inSaga |= SagaContext.current().isPresent();
            if (throwing) throw new IllegalStateException("not interested");
        }
    }

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_commit_is_told_outside_of_the_saga() {
        run(app -> {
            app.counter().sell("book");

            assertThat(listener.heard)
                    .containsExactly(new SagaCommittedEvent(
                            alpha.only(Input.KindCase.END).getSaga(), "Shop.Counter.sell", "item book"));
            assertThat(listener.inSaga).isFalse();
        });
    }

    @Test
    void an_abort_is_told_with_its_reason() {
        run(app -> {
            assertThatThrownBy(() -> app.counter().sell("unicorn"));

            assertThat(listener.heard).hasSize(1);
            SagaAbortedEvent aborted = (SagaAbortedEvent) listener.heard.get(0);
            assertThat(aborted.businessKey()).isEqualTo("item unicorn");
            assertThat(aborted.text()).contains("no unicorns left");
        });
    }

    @Test
    void an_abort_by_somebody_else_is_told_when_the_saga_ends() {
        run(app -> {
            assertThatExceptionOfType(SagaAbortedException.class)
                    .isThrownBy(() -> app.counter().run(() -> {
                        app.orders().orderWithoutTransaction("book");
                        String saga = SagaContext.current().orElseThrow().saga();
                        alpha.abort(saga, Aborted.Cause.OPERATOR, "", "ann said so");
                    }));

            assertThat(listener.heard)
                    .singleElement()
                    .isEqualTo(new SagaAbortedEvent(
                            alpha.only(Input.KindCase.END).getSaga(), "Shop.Counter.run", "", "ann said so"));
        });
    }

    @Test
    void a_saga_that_nobody_else_has_heard_of_is_told_as_well() {
        run(app -> {
            app.counter().run(() -> {});
            assertThatThrownBy(() -> app.counter().run(() -> {
                throw new IllegalStateException("changed my mind");
            }));

            assertThat(alpha.inputs()).isEmpty();
            assertThat(listener.heard).hasSize(2);
            assertThat(listener.heard.get(0)).isInstanceOf(SagaCommittedEvent.class);
            assertThat(((SagaAbortedEvent) listener.heard.get(1)).text())
                    .isEqualTo("IllegalStateException: changed my mind");
        });
    }

    /** Joins the saga it is called in, and throws. */
    static class Joining {
        @SagaStart(propagation = SagaPropagation.REQUIRED)
        public void fail() {
            throw new IllegalStateException("out of paper");
        }
    }

    @Test
    void what_has_joined_a_saga_leaves_it_to_whoever_ends_it_to_tell() {
        Applications.shop(directory, alpha)
                .withBean(Listener.class, () -> listener)
                .withBean(Joining.class)
                .run(context -> {
                    Shop.Counter counter = context.getBean(Shop.Counter.class);
                    Shop.Orders orders = context.getBean(Shop.Orders.class);
                    Joining joining = context.getBean(Joining.class);
                    Runnable joined = () -> {
                        orders.orderWithoutTransaction("book");
                        assertThatThrownBy(joining::fail).hasMessage("out of paper");
                        assertThat(listener.heard).isEmpty();
                    };
                    assertThatExceptionOfType(SagaAbortedException.class).isThrownBy(() -> counter.run(joined));

                    SagaAbortedEvent aborted = (SagaAbortedEvent) listener.heard.get(0);
                    assertThat(listener.heard).hasSize(1);
                    assertThat(aborted.operation()).isEqualTo("Shop.Counter.run");
                    assertThat(aborted.text()).contains("out of paper");
                });
    }

    @Test
    void of_what_is_thrown_through_both_listeners_hear_once() {
        Applications.shop(directory, alpha)
                .withBean(Listener.class, () -> listener)
                .withBean(Joining.class)
                .run(context -> {
                    Joining joining = context.getBean(Joining.class);
                    assertThatThrownBy(() -> context.getBean(Shop.Counter.class).run(joining::fail))
                            .hasMessage("out of paper");

                    assertThat(listener.heard).singleElement().isInstanceOf(SagaAbortedEvent.class);
                });
    }

    @Test
    void a_saga_in_code_is_told_by_its_name() {
        Applications.shop(directory, alpha)
                .withBean(Listener.class, () -> listener)
                .run(context -> {
                    SagaSettings settings = SagaSettings.named("trip").businessKey("T-1");
                    String id = context.getBean(SagaTemplate.class)
                            .execute(settings, saga -> saga.id().orElseThrow());

                    assertThat(listener.heard).containsExactly(new SagaCommittedEvent(id, "trip", "T-1"));
                });
    }

    /** Asks alpha, and so waits for it. */
    static class Curious {
        private final SagaTemplate sagas;
        private final List<SagaOutcome> outcomes = new CopyOnWriteArrayList<>();

        Curious(SagaTemplate sagas) {
            this.sagas = sagas;
        }

        @EventListener
        void hear(SagaDecidedEvent event) {
            outcomes.add(sagas.outcome(event.saga()));
        }
    }

    @Test
    void a_listener_may_wait_for_alpha_also_when_work_is_done_later() {
        Ack.Builder open = Ack.newBuilder().setPending(Pending.getDefaultInstance());
        alpha.answer = input -> input.hasAskOutcome() ? open.clone() : null;
        Applications.plain()
                .withBean(Curious.class)
                .withBean(LaterShop.Counter.class)
                .withBean(LaterShop.Desk.class)
                .withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.begin-timeout=20s")
                .run(context -> {
                    LaterShop.Counter counter = context.getBean(LaterShop.Counter.class);
                    LaterShop.Desk desk = context.getBean(LaterShop.Desk.class);
                    List<SagaOutcome> outcomes = context.getBean(Curious.class).outcomes;

                    counter.mono(() -> desk.mono(() -> Mono.just("car"))).block(LIMIT);
                    assertThat(outcomes).as("before the result is there").hasSize(1);
                    assertThat(counter.future(() -> desk.future(
                                    () -> CompletableFuture.failedFuture(new Shop.OutOfStock("none left")))))
                            .failsWithin(LIMIT);
                    assertThat(outcomes).hasSize(2);
                    counter.mono(() ->
                                    Mono.delay(Duration.ofMillis(1)).map(waited -> "nothing that alpha has heard of"))
                            .block(LIMIT);
                    counter.mono(() -> Mono.delay(Duration.ofMillis(1))
                                    .then(Mono.error(new Shop.OutOfStock("nor of this"))))
                            .onErrorComplete()
                            .block(LIMIT);
                    assertThat(outcomes).hasSize(4);
                });
    }

    @Test
    void an_outcome_that_nobody_knows_is_not_told() {
        alpha.silentOn = Input::hasEnd;
        run(Applications.shop(directory, alpha).withPropertyValues("omega.saga.decision-timeout=100ms"), app -> {
            assertThatExceptionOfType(SagaOutcomeUnknownException.class)
                    .isThrownBy(() -> app.counter().sell("book"));
            assertThat(listener.heard).isEmpty();
        });
    }

    @Test
    void a_listener_that_throws_changes_nothing() {
        listener.throwing = true;
        run(app -> {
            assertThat(app.counter().sell("book")).isEqualTo("R-Ada");
            assertThatExceptionOfType(Shop.OutOfStock.class)
                    .isThrownBy(() -> app.counter().sell("unicorn"))
                    .satisfies(thrown -> assertThat(thrown.getSuppressed()).isEmpty());
            assertThat(listener.heard).hasSize(2);
        });
    }

    private void run(Consumer<RunningShop> story) {
        run(Applications.shop(directory, alpha), story);
    }

    private void run(ApplicationContextRunner application, Consumer<RunningShop> story) {
        RunningShop.run(application.withBean(Listener.class, () -> listener), story::accept);
    }
}
