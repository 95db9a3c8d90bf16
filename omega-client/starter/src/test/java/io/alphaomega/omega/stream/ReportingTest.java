package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.PATIENCE;
import static io.alphaomega.omega.stream.Omega.begin;
import static io.alphaomega.omega.stream.Omega.connected;
import static io.alphaomega.omega.stream.Omega.endAndWait;
import static io.alphaomega.omega.stream.Omega.sagas;
import static io.alphaomega.omega.stream.Omega.settings;
import static io.alphaomega.omega.stream.Omega.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.google.protobuf.ByteString;
import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.protocol.v1.Aborted;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Limits;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How inputs reach one alpha and answers come back. */
@Timeout(60)
final class ReportingTest {

    @Test
    void an_input_is_answered_and_the_client_has_introduced_itself() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            Ack ack = client.call(begin("saga"), PATIENCE);

            assertThat(ack.hasAccepted()).isTrue();
            assertThat(alpha.inputs()).singleElement().satisfies(input -> {
                assertThat(input.getCorrelation()).isEqualTo(ack.getCorrelation());
                assertThat(input.getSaga()).isEqualTo("saga");
            });
            assertThat(alpha.conversations.get(0).hellos)
                    .singleElement()
                    .extracting(Hello::getService)
                    .isEqualTo("booking");
            assertThat(client.status()).singleElement().satisfies(status -> {
                assertThat(status.state()).isEqualTo(AlphaStatus.State.CONNECTED);
                assertThat(status.node()).isEqualTo("a");
                assertThat(status.address()).isEqualTo(alpha.address());
            });
        }
    }

    @Test
    void every_answer_but_unavailable_is_handed_over() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            alpha.onInput = (conversation, input) -> conversation.ack(Ack.newBuilder()
                    .setCorrelation(input.getCorrelation())
                    .setAborted(Aborted.newBuilder().setText("no cars left"))
                    .build());
            assertThat(client.call(begin("saga"), PATIENCE).getAborted().getText())
                    .isEqualTo("no cars left");
        }
    }

    @Test
    void answers_in_another_order_reach_their_askers() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            List<Input> held = Collections.synchronizedList(new ArrayList<>());
            alpha.onInput = (conversation, input) -> held.add(input);
            List<CompletableFuture<Ack>> answers =
                    sagas(5).stream().map(s -> client.send(begin(s), PATIENCE)).toList();
            await().until(() -> held.size() == 5);

            for (int i = 4; i >= 0; i--) {
                Input input = held.get(i);
                alpha.conversations.get(0).accept(input);
                await().until(() -> answers.stream()
                                .filter(CompletableFuture::isDone)
                                .filter(each -> each.join().getCorrelation() == input.getCorrelation())
                                .count()
                        == 1);
            }
        }
    }

    @Test
    void inputs_that_gathered_before_the_connection_go_as_one_batch_in_their_order() {
        try (ScriptedAlpha first = new ScriptedAlpha("a")) {
            first.stop();
            try (AlphaClient client = connected(first)) {
                List<CompletableFuture<Ack>> answers = sagas(20).stream()
                        .map(saga -> client.send(begin(saga), PATIENCE))
                        .toList();
                try (ScriptedAlpha alpha = first.successor()) {
                    await().until(() -> answers.stream().allMatch(CompletableFuture::isDone));
                    assertThat(alpha.conversations.get(0).batches).hasSize(1);
                    assertThat(alpha.inputs()).extracting(Input::getSaga).isEqualTo(sagas(20));
                }
            }
        }
    }

    @Test
    void no_more_inputs_are_written_than_alpha_will_read() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.limits = Limits.newBuilder().setUnansweredInputs(2).build();
            List<Input> held = Collections.synchronizedList(new ArrayList<>());
            alpha.onInput = (conversation, input) -> held.add(input);
            try (AlphaClient client = connected(alpha)) {
                List<CompletableFuture<Ack>> answers = sagas(5).stream()
                        .map(s -> client.send(begin(s), PATIENCE))
                        .toList();
                for (int answered = 0; answered < 5; answered++) {
                    int seen = Math.min(5, answered + 2);
                    await().until(() -> held.size() == seen);
                    alpha.conversations.get(0).accept(held.get(answered));
                }
                await().until(() -> answers.stream().allMatch(CompletableFuture::isDone));
                assertThat(held).hasSize(5);
            }
        }
    }

    @Test
    void an_alpha_that_does_not_read_fills_a_bounded_buffer_and_then_inputs_are_refused() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.reading = false;
            try (AlphaClient client = connected(50, alpha)) {
                awaitWelcome(client);
                List<CompletableFuture<Ack>> answers = new ArrayList<>();
                for (int i = 0; i < 50; i++) answers.add(client.send(large("saga-" + i), PATIENCE));

                assertThatThrownBy(() -> client.send(begin("one more"), PATIENCE))
                        .isInstanceOf(AlphaUnavailableException.class)
                        .hasMessageContaining("The begin of saga one more is one too many: 50 inputs are unanswered")
                        .hasMessageContaining(alpha.address());
                assertThatThrownBy(() -> client.call(begin("one more"), Duration.ofMillis(100)))
                        .isInstanceOf(AlphaUnavailableException.class)
                        .hasMessageContaining("none was answered within PT0.1S");
                assertThat(alpha.inputs()).isEmpty();

                alpha.reading = true;
                alpha.conversations.get(0).readOn();
                await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
                assertThat(client.call(begin("one more"), PATIENCE).hasAccepted())
                        .isTrue();
            }
        }
    }

    @Test
    void begins_leave_room_for_what_has_happened_already() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(8, alpha)) {
            alpha.onInput = (conversation, input) -> {};
            List<CompletableFuture<Void>> callers = sagas(20).stream()
                    .map(saga -> inBackground(() -> client.call(begin(saga), PATIENCE)))
                    .toList();
            await().until(() -> alpha.inputs().size() == 6);
            assertThat(client.isCrowded()).isTrue();
            assertThatThrownBy(() -> client.call(begin("one more"), Duration.ofMillis(100)))
                    .isInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining("6 begins are unanswered, three quarters of all inputs");

            CompletableFuture<Ack> ended = client.send(large("ended"), PATIENCE);
            await().until(() -> alpha.inputs().stream().anyMatch(Input::hasEndBranch));

            alpha.onInput = ScriptedAlpha.Conversation::accept;
            alpha.inputs().forEach(alpha.conversations.get(0)::accept);
            await().atMost(PATIENCE).until(() -> callers.stream().allMatch(CompletableFuture::isDone));
            assertThat(callers).noneMatch(CompletableFuture::isCompletedExceptionally);
            assertThat(ended.join().hasAccepted()).isTrue();
            assertThat(client.isCrowded()).isFalse();
        }
    }

    @Test
    void ends_that_wait_for_a_decision_let_pass_what_they_wait_for() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.limits = Limits.newBuilder().setUnansweredInputs(4).build();
            alpha.onInput = (conversation, input) -> {
                if (!input.hasEnd()) conversation.accept(input);
            };
            try (AlphaClient client = connected(4, alpha)) {
                List<CompletableFuture<Void>> callers = sagas(10).stream()
                        .map(saga -> inBackground(() -> client.call(endAndWait(saga), PATIENCE)))
                        .toList();
                await().until(() -> alpha.inputs().size() == 2);

                for (String saga : sagas(10)) {
                    assertThat(client.send(large(saga), PATIENCE).join().hasAccepted())
                            .isTrue();
                }

                assertThat(alpha.inputs()).filteredOn(Input::hasEnd).hasSize(2);
                alpha.onInput = ScriptedAlpha.Conversation::accept;
                alpha.inputs().stream().filter(Input::hasEnd).forEach(alpha.conversations.get(0)::accept);
                await().atMost(PATIENCE).until(() -> callers.stream().allMatch(CompletableFuture::isDone));
                assertThat(callers).noneMatch(CompletableFuture::isCompletedExceptionally);
                assertThat(alpha.inputs()).filteredOn(Input::hasEnd).hasSize(10);
            }
        }
    }

    @Test
    void an_end_that_nobody_waits_for_any_more_does_not_hold_up_the_next() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.limits = Limits.newBuilder().setUnansweredInputs(4).build();
            alpha.onInput = (conversation, input) -> {
                if (!input.hasEnd()) conversation.accept(input);
            };
            try (AlphaClient client = connected(4, alpha)) {
                List<CompletableFuture<Ack>> first = Stream.of("first", "second")
                        .map(saga -> client.send(endAndWait(saga), PATIENCE))
                        .toList();
                await().until(() -> alpha.inputs().size() == 2);
                for (String saga : List.of("impatient", "impatient too")) {
                    assertThatThrownBy(() -> client.call(endAndWait(saga), Duration.ofMillis(100)))
                            .isInstanceOf(AlphaUnavailableException.class);
                }
                CompletableFuture<Ack> last = client.send(endAndWait("last"), PATIENCE);
                // Its answer comes when the client has taken all that was sent before.
                client.send(large("report"), PATIENCE).join();
                assertThat(alpha.inputs()).extracting(Input::getSaga).containsExactly("first", "second", "report");

                alpha.onInput = ScriptedAlpha.Conversation::accept;
                alpha.inputs().stream().filter(Input::hasEnd).forEach(alpha.conversations.get(0)::accept);

                assertThat(last.join().hasAccepted()).isTrue();
                assertThat(first).allMatch(ack -> ack.join().hasAccepted());
                assertThat(alpha.inputs())
                        .extracting(Input::getSaga)
                        .containsExactly("first", "second", "report", "last");
            }
        }
    }

    @Test
    void a_report_waits_for_room_as_long_as_it_is_told_to() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(1, alpha)) {
            alpha.onInput = (conversation, input) -> {};
            CompletableFuture<Ack> first = client.send(large("first"), PATIENCE);
            assertThatThrownBy(() -> client.send(large("impatient"), PATIENCE, Duration.ofMillis(100)))
                    .isInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining("1 inputs are unanswered")
                    .hasMessageContaining("none was answered within PT0.1S");

            CompletableFuture<Void> patient = inBackground(
                    () -> client.send(large("patient"), PATIENCE, PATIENCE).join());
            alpha.onInput = ScriptedAlpha.Conversation::accept;
            await().until(() -> !alpha.inputs().isEmpty());
            alpha.conversations.get(0).accept(alpha.inputs().get(0));
            patient.join();
            assertThat(first.join().hasAccepted()).isTrue();
            assertThat(alpha.inputs()).extracting(Input::getSaga).containsExactly("first", "patient");
        }
    }

    /** On a thread of its own. */
    private static CompletableFuture<Void> inBackground(Runnable task) {
        return CompletableFuture.runAsync(task, each -> new Thread(each).start());
    }

    @Test
    void what_an_alpha_that_does_not_read_has_no_room_for_stays_here_and_is_not_sent_when_its_time_has_passed() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.reading = false;
            try (AlphaClient client = connected(200, alpha)) {
                awaitWelcome(client);
                List<CompletableFuture<Ack>> answers = sagas(200).stream()
                        .map(saga -> client.send(large(saga), Duration.ofMillis(500)))
                        .toList();
                await().until(() -> answers.stream().allMatch(CompletableFuture::isCompletedExceptionally));

                alpha.reading = true;
                alpha.conversations.get(0).readOn();
                assertThat(client.call(begin("afterwards"), PATIENCE).hasAccepted())
                        .isTrue();
                assertThat(alpha.inputs()).hasSizeLessThan(150);
            }
        }
    }

    @Test
    void large_inputs_are_spread_over_messages_that_alpha_accepts() {
        try (ScriptedAlpha first = new ScriptedAlpha("a")) {
            first.stop();
            try (AlphaClient client = connected(first)) {
                List<CompletableFuture<Ack>> answers = sagas(10).stream()
                        .map(saga -> client.send(large(saga), PATIENCE))
                        .toList();
                try (ScriptedAlpha alpha = first.successor()) {
                    alpha.limits =
                            Limits.newBuilder().setMessageBytes(200 * 1024).build();
                    await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
                    assertThat(alpha.conversations.get(0).batches)
                            .allMatch(batch -> batch.getSerializedSize() <= 200 * 1024)
                            .hasSizeGreaterThan(3);
                }
            }
        }
    }

    @Test
    void an_input_that_is_larger_than_any_message_is_refused_and_others_go_on() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            alpha.limits = Limits.newBuilder().setMessageBytes(10_000).build();
            try (AlphaClient client = connected(alpha)) {
                assertThatThrownBy(() -> client.call(large("saga"), PATIENCE))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("The end branch of saga saga has")
                        .hasMessageContaining("at most 10000");
                assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
            }
        }
    }

    @Test
    void what_alpha_has_no_room_for_is_sent_again_later() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            alpha.onInput = (conversation, input) -> {
                if (alpha.inputs().size() < 3) {
                    conversation.unavailable(input, 1);
                } else {
                    conversation.accept(input);
                }
            };
            assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
            assertThat(alpha.inputs()).hasSize(3);
            assertThat(alpha.inputs()).containsOnly(alpha.inputs().get(0));
        }
    }

    @Test
    void a_report_in_the_background_fails_when_its_time_has_passed() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(1, alpha)) {
            alpha.onInput = (conversation, input) -> {};
            CompletableFuture<Ack> answer = client.send(begin("saga"), Duration.ofMillis(100));
            assertThatThrownBy(() -> answer.get(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .hasCauseInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining("Alpha did not answer the begin of saga saga within PT0.1S");

            alpha.onInput = ScriptedAlpha.Conversation::accept;
            assertThat(client.call(begin("the room is free again"), PATIENCE).hasAccepted())
                    .isTrue();
        }
    }

    @Test
    void a_caller_that_is_interrupted_is_told_and_stays_interrupted() throws Exception {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            alpha.onInput = (conversation, input) -> {};
            CompletableFuture<Boolean> told = new CompletableFuture<>();
            Thread caller = new Thread(() -> {
                try {
                    client.call(begin("saga"), PATIENCE);
                } catch (AlphaUnavailableException e) {
                    told.complete(Thread.currentThread().isInterrupted());
                }
            });
            caller.start();
            await().until(() -> !alpha.inputs().isEmpty());
            caller.interrupt();
            assertThat(told.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void nothing_is_sent_before_the_start_or_after_the_end() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            AlphaClient client = new AlphaClient(settings(1, alpha.address()), Hello::getDefaultInstance, callback -> {
                throw new AssertionError();
            });
            assertThatThrownBy(() -> client.call(begin("saga"), PATIENCE)).hasMessageContaining("is not started");
            client.close();
            AlphaClient closed = started(settings(1, alpha.address()), callback -> Omega.SUCCESS);
            closed.close();
            assertThatThrownBy(() -> closed.send(begin("saga"), PATIENCE)).hasMessageContaining("is closed");
        }
    }

    /** What is sent then is left unread by alpha, and does not just wait for a connection. */
    private static void awaitWelcome(AlphaClient client) {
        await().until(() -> client.status().stream().anyMatch(each -> each.state() == AlphaStatus.State.CONNECTED));
    }

    private static Input large(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setEndBranch(
                        EndBranch.newBuilder().setBranch("branch").setResult(ByteString.copyFrom(new byte[60_000])))
                .build();
    }
}
