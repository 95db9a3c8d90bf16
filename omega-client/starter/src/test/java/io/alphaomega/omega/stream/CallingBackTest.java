package io.alphaomega.omega.stream;

import static io.alphaomega.omega.stream.Omega.PATIENCE;
import static io.alphaomega.omega.stream.Omega.addresses;
import static io.alphaomega.omega.stream.Omega.begin;
import static io.alphaomega.omega.stream.Omega.settings;
import static io.alphaomega.omega.stream.Omega.started;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.stream.ScriptedAlpha.Conversation;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** How alpha's callbacks are run and answered, and how the client ends. */
@Timeout(60)
@ExtendWith(OutputCaptureExtension.class)
final class CallingBackTest {
    private final ScriptedAlpha alpha = new ScriptedAlpha("a");

    @AfterEach
    void stop() {
        alpha.close();
    }

    @Test
    void a_callback_is_answered_with_what_it_was_asked_for() {
        try (AlphaClient client = client(callback -> Omega.SUCCESS)) {
            conversation(client).call(callback("branch", 3).build());
            await().until(() -> !alpha.conversations.get(0).results.isEmpty());
            assertThat(alpha.conversations.get(0).results)
                    .containsExactly(CallbackResult.newBuilder()
                            .setSaga("saga")
                            .setBranch("branch")
                            .setKind(CallbackKind.COMPENSATION)
                            .setAttempt(3)
                            .build());
        }
    }

    @Test
    void what_a_callback_throws_is_told_to_alpha() {
        try (AlphaClient client = client(callback -> {
            throw new IllegalStateException("no such booking");
        })) {
            conversation(client).call(callback("branch", 1).build());
            await().until(() -> !alpha.conversations.get(0).results.isEmpty());
            CallbackFailure failure = alpha.conversations.get(0).results.get(0).getFailure();
            assertThat(failure.getCode()).isEqualTo(CallbackFailure.Code.THREW);
            assertThat(failure.getCause()).contains("IllegalStateException").contains("no such booking");
        }
    }

    @Test
    void a_callback_of_a_kind_that_only_a_newer_alpha_knows_is_answered() {
        int newer = 77;
        try (AlphaClient client = client(callback -> {
            throw new IllegalStateException("no such kind");
        })) {
            conversation(client).call(callback("branch", 1).setKindValue(newer).build());
            await().until(() -> !alpha.conversations.get(0).results.isEmpty());
            assertThat(alpha.conversations.get(0).results.get(0).getKindValue()).isEqualTo(newer);
            conversation(client).call(callback("branch", 2).build());
            await().until(() -> alpha.conversations.get(0).results.size() == 2);
        }
    }

    @Test
    void callbacks_run_at_the_same_time_as_many_as_there_are_threads() {
        CyclicBarrier four = new CyclicBarrier(4);
        try (AlphaClient client = client(callback -> {
            meet(four);
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            for (int i = 0; i < 8; i++)
                conversation.call(callback("branch-" + i, 1).build());
            await().atMost(PATIENCE).until(() -> conversation.results.size() == 8);
            assertThat(conversation.results).noneMatch(CallbackResult::hasFailure);
        }
    }

    @Test
    void the_same_attempt_asked_again_while_it_runs_is_run_once_and_answered_on_the_newest_stream() {
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch release = new CountDownLatch(1);
        try (AlphaClient client = client(callback -> {
            runs.incrementAndGet();
            pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation first = conversation(client);
            first.call(callback("branch", 1).build());
            first.call(callback("branch", 1).build());
            await().until(() -> runs.get() == 1);
            first.breakOff();
            await().atMost(PATIENCE).until(() -> alpha.conversations.size() == 2);
            client.call(begin("the second stream is up"), PATIENCE);
            Conversation second = alpha.conversations.get(1);
            second.call(callback("branch", 1).build());
            second.call(callback("other", 1).build());
            await().until(() -> runs.get() == 2);

            release.countDown();
            await().until(() -> second.results.size() == 2);
            assertThat(runs).hasValue(2);
            assertThat(first.results).isEmpty();
        }
    }

    @Test
    void the_same_attempt_asked_by_another_alpha_is_answered_to_the_one_that_asked_last() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (ScriptedAlpha other = new ScriptedAlpha("b");
                AlphaClient client = started(settings(100, addresses(alpha, other)), callback -> {
                    runs.incrementAndGet();
                    pass(release);
                    return Omega.SUCCESS;
                })) {
            await().until(() -> client.status().stream()
                            .filter(status -> status.state() == AlphaStatus.State.CONNECTED)
                            .count()
                    == 2);
            alpha.conversations.get(0).call(callback("branch", 1).build());
            await().until(() -> runs.get() == 1);
            other.conversations.get(0).call(callback("branch", 1).build());
            other.conversations.get(0).call(callback("another", 1).build());
            await().until(() -> runs.get() == 2);

            release.countDown();
            await().until(() -> other.conversations.get(0).results.size() == 2);
            assertThat(alpha.conversations.get(0).results).isEmpty();
        }
    }

    @Test
    void an_answer_whose_stream_has_broken_goes_over_the_next_one() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (AlphaClient client = client(callback -> {
            running.countDown();
            pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation first = conversation(client);
            first.call(callback("branch", 1).build());
            pass(running);
            first.breakOff();
            await().atMost(PATIENCE).until(() -> alpha.conversations.size() == 2);
            client.call(begin("the second stream is up"), PATIENCE);

            release.countDown();
            await().until(() -> alpha.conversations.get(1).results.size() == 1);
        }
    }

    @Test
    void a_callback_that_runs_for_longer_than_alpha_waits_is_not_ended_but_named_once(CapturedOutput output) {
        CountDownLatch release = new CountDownLatch(1);
        try (AlphaClient client = client(callback -> {
            if (callback.getBranch().equals("hangs")) pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            conversation.call(callback("quick", 1).setAnswerWithinMillis(5_000).build());
            conversation.call(callback("hangs", 1).setAnswerWithinMillis(2_000).build());
            String sentence = "of saga saga has not ended within the PT2S that alpha waits";
            await().until(() -> output.toString().contains("COMPENSATION cancel of branch hangs " + sentence));
            release.countDown();
            await().until(() -> conversation.results.size() == 2);
            assertThat(output.toString()).containsOnlyOnce(sentence);
        }
    }

    @Test
    void more_callbacks_than_can_wait_are_told_that_this_instance_is_busy() {
        CountDownLatch release = new CountDownLatch(1);
        try (AlphaClient client = client(callback -> {
            pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            for (int i = 0; i < 300; i++)
                conversation.call(callback("branch-" + i, 1).build());
            await().until(() -> conversation.results.size() == 300 - 4 - 256);
            assertThat(conversation.results)
                    .allMatch(result -> result.getFailure().getCode() == CallbackFailure.Code.BUSY);
            release.countDown();
            await().until(() -> conversation.results.size() == 300);
        }
    }

    @Test
    void what_waits_in_vain_for_half_of_its_time_is_answered_busy_and_does_not_run() {
        CountDownLatch release = new CountDownLatch(1);
        Set<String> ran = ConcurrentHashMap.newKeySet();
        try (AlphaClient client = client(callback -> {
            ran.add(callback.getBranch());
            pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            for (int i = 0; i < 4; i++)
                conversation.call(callback("running-" + i, 1).build());
            await().until(() -> ran.size() == 4);
            conversation.call(callback("waits", 1).setAnswerWithinMillis(500).build());

            await().until(() -> conversation.results.size() == 1);
            assertThat(conversation.results).allSatisfy(result -> {
                assertThat(result.getBranch()).isEqualTo("waits");
                assertThat(result.getFailure().getCode()).isEqualTo(CallbackFailure.Code.BUSY);
            });
            release.countDown();
            await().until(() -> conversation.results.size() == 5);
            assertThat(ran).doesNotContain("waits");
        }
    }

    @Test
    void a_hanging_callback_keeps_one_thread_however_often_alpha_asks_again_and_answers_the_newest() {
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        try (AlphaClient client = client(callback -> {
            if (callback.getBranch().equals("hangs")) {
                runs.incrementAndGet();
                pass(release);
            }
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            for (int attempt = 1; attempt <= 20; attempt++)
                conversation.call(callback("hangs", attempt).build());
            conversation.call(callback("other", 1).build());

            await().until(() -> conversation.results.size() == 1 && runs.get() == 1);
            release.countDown();
            await().until(() -> conversation.results.size() == 2);
            assertThat(conversation.results)
                    .filteredOn(result -> result.getBranch().equals("hangs"))
                    .singleElement()
                    .satisfies(result -> assertThat(result.getAttempt()).isEqualTo(20));
            assertThat(runs).hasValue(1);
        }
    }

    @Test
    void a_stream_that_alpha_leaves_stays_until_its_callbacks_are_answered() {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (AlphaClient client = client(callback -> {
            running.countDown();
            pass(release);
            return Omega.SUCCESS;
        })) {
            Conversation conversation = conversation(client);
            conversation.call(callback("branch", 1).build());
            pass(running);
            conversation.goAway(1);
            await().atMost(PATIENCE).until(() -> alpha.conversations.size() == 2);
            assertThat(conversation.halfClosed).isFalse();
            release.countDown();
            await().until(() -> conversation.halfClosed);
            assertThat(conversation.results).hasSize(1);
        }
    }

    @Test
    void closing_takes_no_new_callbacks_and_finishes_what_is_under_way() throws Exception {
        CountDownLatch running = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        AtomicInteger runs = new AtomicInteger();
        AlphaClient client = client(callback -> {
            runs.incrementAndGet();
            running.countDown();
            pass(release);
            return Omega.SUCCESS;
        });
        Conversation conversation = conversation(client);
        conversation.call(callback("branch", 1).build());
        pass(running);
        alpha.onInput = (ignored, input) -> {};
        CompletableFuture<Ack> unanswered = client.send(begin("unanswered"), PATIENCE);
        await().until(() -> alpha.inputs().size() == 2);

        CompletableFuture<Void> closed = CompletableFuture.runAsync(client::close);
        await().until(() -> conversation.draining);
        conversation.call(callback("too late", 1).build());
        alpha.onInput = Conversation::accept;
        assertThat(client.call(begin("inputs still go"), PATIENCE).hasAccepted())
                .isTrue();
        assertThat(closed).isNotDone();

        release.countDown();
        await().until(() -> conversation.results.size() == 1);
        Input held = alpha.inputs().get(1);
        conversation.accept(held);
        closed.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        assertThat(unanswered.join().hasAccepted()).isTrue();
        await().until(() -> conversation.halfClosed);
        assertThat(runs).hasValue(1);
    }

    @Test
    void closing_does_not_wait_longer_than_it_was_told_and_says_what_was_left() {
        AlphaClient client = started(
                new AlphaClientSettings(
                        List.of(addresses(alpha)),
                        Duration.ofSeconds(1),
                        Duration.ofSeconds(5),
                        Duration.ofSeconds(1),
                        10,
                        1,
                        Duration.ofMillis(300)),
                callback -> Omega.SUCCESS);
        conversation(client);
        alpha.onInput = (conversation, input) -> {};
        CompletableFuture<Ack> left = client.send(begin("left"), PATIENCE);
        client.close();
        assertThatThrownBy(left::join)
                .hasMessageContaining("Alpha did not answer the begin of saga left before this service stopped");
        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("omega-") && thread.isAlive()));
    }

    private AlphaClient client(CallbackHandler handler) {
        return started(settings(100, addresses(alpha)), handler);
    }

    /** The first stream, once it is up. */
    private Conversation conversation(AlphaClient client) {
        client.call(begin("the stream is up"), PATIENCE);
        return alpha.conversations.get(0);
    }

    private static Callback.Builder callback(String branch, int attempt) {
        return Callback.newBuilder()
                .setSaga("saga")
                .setBranch(branch)
                .setKind(CallbackKind.COMPENSATION)
                .setAttempt(attempt)
                .setName("cancel")
                .setAnswerWithinMillis(30_000);
    }

    private static void pass(CountDownLatch latch) {
        try {
            if (!latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)) throw new AssertionError("nobody opened");
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
