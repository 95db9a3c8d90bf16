package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.PATIENCE;
import static io.alphaomega.omega.stream.Omega.begin;
import static io.alphaomega.omega.stream.Omega.connected;
import static io.alphaomega.omega.stream.Omega.endAndWait;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Asking alpha without a thread that waits, not even for room. */
class AskingTest {
    /** Three quarters of these may be begins. */
    private static final int ROOM = 8;

    private final List<Input> held = new CopyOnWriteArrayList<>();

    private static Input fail(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setFailBranch(FailBranch.newBuilder().setBranch("branch"))
                .build();
    }

    private void holdAll(ScriptedAlpha alpha) {
        alpha.onInput = (conversation, input) -> held.add(input);
    }

    private void answer(ScriptedAlpha alpha, int which) {
        alpha.conversations.get(0).accept(held.get(which));
    }

    private static List<CompletableFuture<Ack>> ask(AlphaClient client, int many, Duration within) {
        return IntStream.range(0, many)
                .mapToObj(i -> client.ask(begin("saga-" + i), within))
                .toList();
    }

    @Test
    void an_input_is_answered() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            assertThat(client.ask(begin("saga"), PATIENCE))
                    .succeedsWithin(PATIENCE)
                    .matches(Ack::hasAccepted);
        }
    }

    @Test
    void what_finds_no_room_waits_for_it_and_no_thread_does() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(ROOM, alpha)) {
            holdAll(alpha);
            List<CompletableFuture<Ack>> answers = ask(client, 10, PATIENCE);
            await().until(() -> held.size() == 6);
            for (int i = 0; i < 10; i++) {
                int next = i;
                await().until(() -> held.size() > next);
                answer(alpha, i);
            }
            assertThat(CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new)))
                    .succeedsWithin(PATIENCE);
        }
    }

    @Test
    void begins_leave_room_for_what_has_happened_and_patient_ends_need_none() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(ROOM, alpha)) {
            holdAll(alpha);
            List<CompletableFuture<Ack>> begins = ask(client, 7, PATIENCE);
            await().until(() -> held.size() == 6);
            CompletableFuture<Ack> failed = client.ask(fail("saga-8"), PATIENCE);
            CompletableFuture<Ack> ended = client.ask(endAndWait("saga-9"), PATIENCE);
            await().until(() -> held.size() == 8);
            assertThat(begins).noneMatch(CompletableFuture::isDone);
            answer(alpha, 6);
            answer(alpha, 7);
            assertThat(failed).succeedsWithin(PATIENCE);
            assertThat(ended).succeedsWithin(PATIENCE);
            alpha.onInput = ScriptedAlpha.Conversation::accept;
            for (int i = 0; i < 6; i++) answer(alpha, i); // Whoever closes the client waits for them.
        }
    }

    @Test
    void what_is_not_answered_in_time_fails_and_so_does_what_found_no_room() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(ROOM, alpha)) {
            holdAll(alpha);
            List<CompletableFuture<Ack>> answers = ask(client, 7, Duration.ofMillis(300));
            for (CompletableFuture<Ack> each : answers) {
                assertThat(each)
                        .failsWithin(PATIENCE)
                        .withThrowableThat()
                        .withCauseInstanceOf(AlphaUnavailableException.class);
            }
            alpha.onInput = ScriptedAlpha.Conversation::accept;
            assertThat(client.ask(begin("saga"), PATIENCE))
                    .as("what was given up has left its place")
                    .succeedsWithin(PATIENCE);
        }
    }

    @Test
    void who_cancels_takes_the_input_back_and_leaves_its_place() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(ROOM, alpha)) {
            holdAll(alpha);
            List<CompletableFuture<Ack>> answers = ask(client, 12, PATIENCE);
            await().until(() -> held.size() == 6);
            answers.forEach(each -> each.cancel(false)); // Those that wait for room, too.
            alpha.onInput = ScriptedAlpha.Conversation::accept;
            for (int i = 0; i < 2 * ROOM; i++) {
                assertThat(client.ask(begin("again-" + i), PATIENCE)).succeedsWithin(PATIENCE);
            }
        }
    }

    @Test
    void a_client_that_is_closed_keeps_nobody_waiting() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            AlphaClient client = connected(ROOM, alpha);
            holdAll(alpha);
            List<CompletableFuture<Ack>> answers = ask(client, 8, PATIENCE);
            await().until(() -> held.size() == 6);
            int unused = client.close(Duration.ZERO);
            assertThat(answers)
                    .allSatisfy(each -> assertThat(each)
                            .failsWithin(PATIENCE)
                            .withThrowableThat()
                            .withCauseInstanceOf(AlphaUnavailableException.class));
            assertThat(client.ask(begin("late"), PATIENCE)).failsWithin(PATIENCE);
        }
    }
}
