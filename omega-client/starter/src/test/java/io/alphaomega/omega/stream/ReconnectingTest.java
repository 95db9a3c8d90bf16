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

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.stream.AlphaStatus.State;
import io.alphaomega.omega.stream.ScriptedAlpha.Conversation;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Limits;
import io.alphaomega.protocol.v1.Shards;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the client does when alphas come and go. */
@Timeout(60)
final class ReconnectingTest {

    @Test
    void after_a_lost_connection_exactly_the_unanswered_inputs_are_sent_again_unchanged() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            List<Input> unanswered = new ArrayList<>();
            alpha.onInput = (conversation, input) -> {
                if (input.getCorrelation() % 2 == 0) {
                    conversation.accept(input);
                } else {
                    unanswered.add(input);
                }
            };
            List<CompletableFuture<Ack>> answers =
                    sagas(10).stream().map(s -> client.send(begin(s), PATIENCE)).toList();
            await().until(() ->
                    answers.stream().filter(CompletableFuture::isDone).count() == 5
                            && alpha.inputs().size() == 10);

            alpha.onInput = ScriptedAlpha.Conversation::accept;
            alpha.conversations.get(0).breakOff();

            await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
            assertThat(alpha.conversations.get(1).inputs()).isEqualTo(unanswered);
        }
    }

    @Test
    void an_alpha_that_restarts_is_found_again_and_its_callers_notice_nothing() {
        ScriptedAlpha alpha = new ScriptedAlpha("a");
        try (AlphaClient client = connected(alpha)) {
            client.call(begin("before"), PATIENCE);
            alpha.stop();
            CompletableFuture<Ack> during = client.send(begin("during"), PATIENCE);
            try (ScriptedAlpha again = alpha.successor()) {
                assertThat(client.call(begin("after"), PATIENCE).hasAccepted()).isTrue();
                assertThat(during.join().hasAccepted()).isTrue();
                assertThat(again.inputs()).extracting(Input::getSaga).containsExactly("during", "after");
            }
        }
    }

    @Test
    void when_one_of_several_alphas_dies_the_others_take_over_and_no_caller_sees_an_error() {
        List<ScriptedAlpha> alphas =
                Stream.of("a", "b", "c").map(ScriptedAlpha::new).toList();
        try (AlphaClient client = connected(alphas.toArray(ScriptedAlpha[]::new))) {
            await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED, State.CONNECTED)));
            sagas(60).forEach(saga -> client.call(begin(saga), PATIENCE));
            assertThat(alphas)
                    .as("sagas are spread")
                    .allSatisfy(alpha -> assertThat(alpha.inputs()).isNotEmpty());

            ScriptedAlpha dying = alphas.get(0);
            int before = dying.inputs().size();
            dying.onInput = (conversation, input) -> {};
            List<CompletableFuture<Ack>> answers = sagas(60).stream()
                    .map(each -> client.send(begin(each), PATIENCE))
                    .toList();
            // Not until all of its are there: after a pause of this machine it counts as silent, and others get them.
            await().until(() -> dying.inputs().size() > before);
            dying.stop();

            await().atMost(PATIENCE).until(() -> answers.stream().allMatch(CompletableFuture::isDone));
            assertThat(answers).allMatch(each -> each.join().hasAccepted());
            await().until(() -> states(client).contains(State.DISCONNECTED));
        } finally {
            alphas.forEach(ScriptedAlpha::close);
        }
    }

    @Test
    void an_alpha_that_joins_a_name_gets_a_stream_while_the_one_that_was_there_keeps_its_own() {
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = a.neighbour("b", "127.0.0.2")) {
            AtomicReference<List<String>> known = new AtomicReference<>(List.of("127.0.0.1"));
            AlphaClientSettings named = settings(AlphaClientSettings.UNANSWERED_INPUTS, "alpha.test:" + a.port());
            Resolver resolver = new Resolver(named.addresses(), host -> ips(known.get()), Duration.ofMillis(20));
            try (AlphaClient client = started(named, callback -> Omega.SUCCESS, resolver)) {
                await().until(() -> states(client).equals(List.of(State.CONNECTED)));

                known.set(List.of("127.0.0.1", "127.0.0.2"));
                await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED)));
                assertThat(a.conversations).hasSize(1);

                known.set(List.of("127.0.0.2"));
                a.stop();
                await().until(() -> client.status().size() == 1);
                assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
                assertThat(b.inputs()).hasSize(1);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack_alpha", "stack_alpha.internal", "alpha-", "alpha.1a"})
    void a_host_whose_name_fits_into_no_uri_is_connected_to(String name) {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a")) {
            AlphaClientSettings named = AlphaClientSettings.of(name + ":" + alpha.port());
            // As the resolver of the system has it: the address remembers its name.
            Resolver resolver = new Resolver(
                    named.addresses(),
                    host -> new InetAddress[] {InetAddress.getByAddress(host, new byte[] {127, 0, 0, 1})},
                    Duration.ofMillis(20));
            try (AlphaClient client = started(named, callback -> Omega.SUCCESS, resolver)) {
                client.call(begin("saga"), PATIENCE);

                assertThat(alpha.authority()).isEqualTo(name + ":" + alpha.port());
            }
        }
    }

    private static InetAddress[] ips(List<String> literals) throws UnknownHostException {
        InetAddress[] found = new InetAddress[literals.size()];
        for (int i = 0; i < found.length; i++) found[i] = InetAddress.getByName(literals.get(i));
        return found;
    }

    @Test
    void a_saga_keeps_its_alpha() {
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = new ScriptedAlpha("b");
                AlphaClient client = connected(a, b)) {
            await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED)));
            for (int i = 0; i < 10; i++) client.call(begin("saga"), PATIENCE);
            assertThat(List.of(a.inputs().size(), b.inputs().size())).containsExactlyInAnyOrder(10, 0);
        }
    }

    @Test
    void a_saga_is_told_to_the_alpha_that_has_it_and_to_the_next_when_it_has_moved() {
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = new ScriptedAlpha("b");
                AlphaClient client = connected(a, b)) {
            await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED)));
            // By Java's hash code an even and an odd one.
            List<String> sagas = sagas(20);
            assertThat(sagas).anyMatch(each -> each.hashCode() % 2 == 0).anyMatch(each -> each.hashCode() % 2 != 0);
            has(a, 0);
            has(b, 1);
            assertThat(told(client, sagas, a)).allMatch(each -> each.hashCode() % 2 == 0);
            assertThat(told(client, sagas, b)).allMatch(each -> each.hashCode() % 2 != 0);

            has(a, 0, 1);
            has(b);
            assertThat(told(client, sagas, a)).isEqualTo(sagas);

            a.stop();
            await().until(() -> states(client).contains(State.DISCONNECTED));
            assertThat(told(client, sagas, b)).isEqualTo(sagas);
        }
    }

    /** Which of two shards the alpha has; on return the client has heard it. */
    private static void has(ScriptedAlpha alpha, Integer... shards) {
        Conversation conversation = alpha.conversations.get(0);
        conversation.has(
                Shards.newBuilder().setCount(2).addAllHere(List.of(shards)).build());
        String heard = "callback-" + alpha.address() + List.of(shards);
        conversation.call(Callback.newBuilder().setSaga(heard).build());
        await().until(() -> conversation.results.stream()
                .anyMatch(result -> result.getSaga().equals(heard)));
    }

    /** Those of the sagas that are told to that alpha. */
    private static List<String> told(AlphaClient client, List<String> sagas, ScriptedAlpha alpha) {
        int before = alpha.inputs().size();
        sagas.forEach(each -> client.call(begin(each), PATIENCE));
        List<Input> all = alpha.inputs();
        return all.subList(before, all.size()).stream().map(Input::getSaga).toList();
    }

    @Test
    void of_many_alphas_three_are_used_and_one_of_the_rest_steps_in() {
        List<ScriptedAlpha> alphas =
                Stream.of("a", "b", "c", "d", "e").map(ScriptedAlpha::new).toList();
        try (AlphaClient client = connected(alphas.toArray(ScriptedAlpha[]::new))) {
            await().until(() -> used(client).size() == 3);
            assertThat(states(client)).filteredOn(State.STANDBY::equals).hasSize(2);
            assertThat(alphas)
                    .filteredOn(alpha -> !alpha.conversations.isEmpty())
                    .hasSize(3);

            ScriptedAlpha dying = alphas.stream()
                    .filter(alpha -> used(client).contains(alpha.address()))
                    .findFirst()
                    .orElseThrow();
            dying.stop();
            await().until(() -> used(client).size() == 3 && !used(client).contains(dying.address()));
        } finally {
            alphas.forEach(ScriptedAlpha::close);
        }
    }

    @Test
    void without_any_alpha_a_call_fails_within_its_time_and_says_who_was_tried_and_is_not_sent_later() {
        ScriptedAlpha gone = new ScriptedAlpha("a");
        gone.stop();
        try (AlphaClient client = connected(gone)) {
            await().until(() ->
                    client.status().stream().anyMatch(each -> !each.lastError().isEmpty()));
            // Nobody comes: without a time of its own it would wait for ever.
            assertThatThrownBy(() -> client.call(begin("saga"), Duration.ofMillis(500)))
                    .isInstanceOf(AlphaUnavailableException.class)
                    .hasMessageContaining("Alpha did not answer the begin of saga saga within PT0.5S")
                    .hasMessageContaining(gone.address())
                    .hasMessageContaining("since 20")
                    .hasMessageContaining("Connection refused");

            try (ScriptedAlpha alpha = gone.successor()) {
                client.call(begin("another"), PATIENCE);
                assertThat(alpha.inputs()).extracting(Input::getSaga).containsExactly("another");
            }
        }
    }

    @Test
    void a_name_that_nobody_knows_is_said_by_name() {
        try (AlphaClient client = started(settings(1, "no-such-alpha.invalid:8071"), callback -> Omega.SUCCESS)) {
            await().until(() -> !client.status().isEmpty());
            assertThatThrownBy(() -> client.call(begin("saga"), Duration.ofMillis(100)))
                    .hasMessageContaining("no-such-alpha.invalid:8071 disconnected since")
                    .hasMessageContaining("unknown host no-such-alpha.invalid");
        }
    }

    @Test
    void an_alpha_that_hangs_up_at_once_is_tried_again_ever_more_slowly() throws Exception {
        AtomicInteger attempts = new AtomicInteger();
        try (ServerSocket rude = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                AlphaClient client =
                        started(settings(1, "127.0.0.1:" + rude.getLocalPort()), callback -> Omega.SUCCESS)) {
            Thread acceptor = new Thread(() -> {
                while (!rude.isClosed()) hangUp(rude, attempts);
            });
            acceptor.setDaemon(true);
            acceptor.start();
            await().until(() -> attempts.get() >= 3);
            int before = attempts.get();
            await().during(Duration.ofSeconds(3)).until(() -> attempts.get() - before < 30);
            assertThat(states(client)).doesNotContain(State.CONNECTED);
        }
    }

    private static void hangUp(ServerSocket server, AtomicInteger attempts) {
        try {
            server.accept().close();
            attempts.incrementAndGet();
        } catch (IOException closed) {
            // The test is over.
        }
    }

    @Test
    void an_alpha_that_goes_away_answers_what_it_has_read_and_gets_nothing_new() {
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = new ScriptedAlpha("b");
                AlphaClient client = connected(a, b)) {
            await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED)));
            client.call(begin("saga"), PATIENCE);
            ScriptedAlpha leaving = a.inputs().isEmpty() ? b : a;
            ScriptedAlpha staying = leaving == a ? b : a;
            leaving.onInput = (conversation, input) -> {};
            CompletableFuture<Ack> unanswered = client.send(begin("saga"), PATIENCE);
            await().until(() -> leaving.inputs().size() == 2);

            leaving.conversations.get(0).goAway(20_000);
            await().until(() -> states(client).contains(State.LEAVING));
            assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
            assertThat(staying.inputs()).hasSize(1);
            assertThat(leaving.conversations.get(0).halfClosed).isFalse();

            leaving.conversations.get(0).accept(leaving.inputs().get(1));
            assertThat(unanswered.join().hasAccepted()).isTrue();
            await().until(() -> leaving.conversations.get(0).halfClosed);
            assertThat(leaving.conversations).hasSize(1);
        }
    }

    @Test
    void what_an_alpha_that_goes_away_has_not_been_sent_yet_goes_over_the_next_stream() {
        try (ScriptedAlpha a = new ScriptedAlpha("a")) {
            a.limits = Limits.newBuilder().setUnansweredInputs(1).build();
            a.onInput = (conversation, input) -> {};
            try (AlphaClient client = connected(a)) {
                List<CompletableFuture<Ack>> answers = sagas(3).stream()
                        .map(s -> client.send(begin(s), PATIENCE))
                        .toList();
                await().until(() -> a.inputs().size() == 1);

                a.limits = Limits.getDefaultInstance();
                a.onInput = Conversation::accept;
                a.conversations.get(0).goAway(1);
                await().atMost(PATIENCE)
                        .until(() -> answers.stream()
                                        .filter(CompletableFuture::isDone)
                                        .count()
                                == 2);
                assertThat(a.conversations.get(0).inputs()).hasSize(1);

                a.conversations.get(0).accept(a.inputs().get(0));
                assertThat(answers.get(0).join().hasAccepted()).isTrue();
            }
        }
    }

    @Test
    void the_only_alpha_that_goes_away_is_connected_again_after_its_grace_and_no_caller_sees_an_error() {
        try (ScriptedAlpha alpha = new ScriptedAlpha("a");
                AlphaClient client = connected(alpha)) {
            client.call(begin("before"), PATIENCE);
            alpha.conversations.get(0).goAway(900);
            await().until(() -> states(client).equals(List.of(State.LEAVING)));
            assertThat(client.call(begin("after"), PATIENCE).hasAccepted()).isTrue();
            assertThat(alpha.conversations).hasSize(2);
            assertThat(alpha.conversations.get(1).inputs())
                    .extracting(Input::getSaga)
                    .containsExactly("after");
        }
    }

    @Test
    void an_alpha_that_falls_silent_loses_its_unanswered_inputs_to_another() {
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = new ScriptedAlpha("b");
                AlphaClient client = connected(a, b)) {
            await().until(() -> states(client).equals(List.of(State.CONNECTED, State.CONNECTED)));
            client.call(begin("saga"), PATIENCE);
            ScriptedAlpha silent = a.inputs().isEmpty() ? b : a;
            silent.onInput = (conversation, input) -> {};

            CompletableFuture<Ack> decision = client.send(endAndWait("saga"), PATIENCE);
            assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
            assertThat(client.call(begin("saga"), PATIENCE).hasAccepted()).isTrue();
            assertThat(silent.inputs())
                    .as("the next goes to the other alpha at once")
                    .filteredOn(Input::hasBegin)
                    .hasSize(2);
            assertThat(decision).as("alpha may take its time to decide").isNotDone();
            silent.inputs().stream()
                    .filter(Input::hasEnd)
                    .forEach(input -> silent.conversations.get(0).accept(input));
            assertThat(decision.join().hasAccepted()).isTrue();
        }
    }

    @Test
    void an_alpha_that_does_not_welcome_is_given_up() throws Exception {
        try (ServerSocket mute = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String address = "127.0.0.1:" + mute.getLocalPort();
            AlphaClientSettings settings = new AlphaClientSettings(
                    List.of(address),
                    Duration.ofSeconds(2),
                    Duration.ofMillis(200),
                    Duration.ofSeconds(1),
                    1,
                    1,
                    Duration.ofSeconds(1));
            try (AlphaClient client = started(settings, callback -> Omega.SUCCESS)) {
                await().until(() -> client.status().stream()
                        .anyMatch(status -> status.lastError().equals("no welcome within PT0.2S")));
            }
        }
    }

    @Test
    void many_callers_over_many_lost_connections_are_all_answered_and_leave_nothing_behind() throws Exception {
        int callers = 16;
        int callsEach = 250;
        try (ScriptedAlpha a = new ScriptedAlpha("a");
                ScriptedAlpha b = new ScriptedAlpha("b");
                AlphaClient client = connected(callers, a, b)) {
            Random random = new Random(20);
            AtomicInteger breaks = new AtomicInteger();
            BiConsumer<Conversation, Input> moody = (conversation, input) -> {
                int mood = random.nextInt(1000);
                if (mood == 0) {
                    breaks.incrementAndGet();
                    conversation.breakOff();
                } else if (mood == 1) {
                    breaks.incrementAndGet();
                    conversation.goAway(20);
                    conversation.accept(input);
                } else if (mood < 20) {
                    conversation.unavailable(input, 1);
                } else {
                    conversation.accept(input);
                }
            };
            a.onInput = moody;
            b.onInput = moody;

            ExecutorService pool = Executors.newFixedThreadPool(callers);
            List<Future<Integer>> done = new ArrayList<>();
            for (int caller = 0; caller < callers; caller++) {
                String name = "caller-" + caller + "-saga-";
                done.add(pool.submit(() -> {
                    int accepted = 0;
                    for (int i = 0; i < callsEach; i++) {
                        if (client.call(begin(name + i), PATIENCE).hasAccepted()) accepted++;
                    }
                    return accepted;
                }));
            }
            pool.shutdown();
            for (Future<Integer> each : done)
                assertThat(each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(callsEach);
            assertThat(breaks).hasPositiveValue();

            a.onInput = (conversation, input) -> {};
            b.onInput = (conversation, input) -> {};
            List<CompletableFuture<Ack>> places = sagas(callers).stream()
                    .map(each -> client.send(begin(each), Duration.ofSeconds(5), PATIENCE))
                    .toList();
            assertThatThrownBy(() -> client.send(begin("one too many"), PATIENCE))
                    .isInstanceOf(AlphaUnavailableException.class);
            await().until(() -> places.stream().allMatch(CompletableFuture::isCompletedExceptionally));
        }
    }

    private static List<State> states(AlphaClient client) {
        return client.status().stream().map(AlphaStatus::state).toList();
    }

    private static Set<String> used(AlphaClient client) {
        return client.status().stream()
                .filter(status -> status.state() == State.CONNECTED)
                .map(AlphaStatus::address)
                .collect(Collectors.toSet());
    }
}
