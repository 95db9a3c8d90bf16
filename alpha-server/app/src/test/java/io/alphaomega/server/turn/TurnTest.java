package io.alphaomega.server.turn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Behaviors;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.servers.Patience;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class TurnTest {
    private final List<Runnable> elsewhere = new ArrayList<>();
    private final Executor others = elsewhere::add;
    private final List<String> done = new ArrayList<>();

    @Test
    void outside_a_turn_others_run_it() {
        Turn.execute(note("a"), others);
        assertThat(done).isEmpty();
        assertThat(elsewhere).hasSize(1);
    }

    @Test
    void in_a_turn_it_runs_after_the_work_on_the_same_thread() {
        Turn.take(() -> {
            Turn.execute(note("actor"), others);
            done.add("work");
        });
        assertThat(done).containsExactly("work", "actor");
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void a_turn_in_a_turn_is_a_part_of_it() {
        Turn.take(() -> {
            Turn.take(() -> Turn.execute(note("actor"), others));
            done.add("work");
        });
        assertThat(done).containsExactly("work", "actor");
    }

    @Test
    void who_is_told_by_an_actor_comes_after_it() {
        Turn.take(() -> Turn.execute(
                () -> {
                    Turn.execute(note("second"), others);
                    done.add("first");
                },
                others));
        assertThat(done).containsExactly("first", "second");
    }

    @Test
    void what_is_more_than_a_few_is_for_others_also_when_actors_tell_each_other_for_ever() {
        class Again implements Runnable {
            @Override
            public void run() {
                done.add("again");
                Turn.execute(this, others);
            }
        }
        Turn.take(() -> Turn.execute(new Again(), others));
        assertThat(done).hasSize(Turn.RUNS_MAX);
        assertThat(elsewhere).hasSize(1);
    }

    @Test
    void each_turn_has_room_for_as_many() {
        for (int turn = 0; turn < 3; turn++) {
            Turn.take(() -> {
                for (int i = 0; i < Turn.RUNS_MAX; i++) Turn.execute(note("actor"), others);
            });
        }
        assertThat(done).hasSize(3 * Turn.RUNS_MAX);
        assertThat(elsewhere).isEmpty();
    }

    @Test
    void who_was_told_runs_even_if_the_work_or_another_fails() {
        assertThatIllegalStateException()
                .isThrownBy(() -> Turn.take(() -> {
                    Turn.execute(
                            () -> {
                                throw new IllegalArgumentException("one actor's");
                            },
                            others);
                    Turn.execute(note("actor"), others);
                    throw new IllegalStateException("the work's");
                }));
        assertThat(done).containsExactly("actor");
        Turn.execute(note("later"), others);
        assertThat(elsewhere).hasSize(1);
    }

    @Test
    void what_is_fatal_is_thrown_on_a_thread_of_others_which_ends_the_node() {
        Turn.take(() -> {
            Turn.execute(
                    () -> {
                        throw new NoClassDefFoundError("a jar was replaced");
                    },
                    others);
            Turn.execute(note("actor"), others);
        });
        assertThat(done).containsExactly("actor");
        assertThat(elsewhere)
                .singleElement()
                .satisfies(run ->
                        assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(run::run));
    }

    @Test
    void an_actor_of_such_a_dispatcher_runs_on_the_thread_that_has_its_turn() throws InterruptedException {
        BlockingQueue<Thread> ran = new LinkedBlockingQueue<>();
        ActorSystem<String> system = ActorSystem.create(
                Behaviors.receive(String.class)
                        .onAnyMessage(message -> {
                            ran.add(Thread.currentThread());
                            return Behaviors.same();
                        })
                        .build(),
                "turns",
                ConfigFactory.parseString("akka.actor.default-dispatcher.executor = \"%s\""
                                .formatted(TurnDispatching.class.getName()))
                        .withFallback(ConfigFactory.defaultReference()));
        try {
            system.tell("outside");
            assertThat(ran.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .isNotNull()
                    .isNotSameAs(Thread.currentThread());
            // Until then the thread that it ran on may not have left its mailbox yet.
            Awaitility.await().pollInSameThread().untilAsserted(() -> {
                Turn.take(() -> system.tell("in a turn"));
                assertThat(ran.poll(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
                        .isSameAs(Thread.currentThread());
            });
        } finally {
            system.terminate();
        }
    }

    private Runnable note(String what) {
        return () -> done.add(what);
    }
}
