package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.end;
import static io.alphaomega.server.stream.TestOmega.endBranch;
import static io.alphaomega.server.stream.TestOmega.input;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNested;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sagas in sagas, whichever nodes have them, and what becomes of them when one of these is gone. */
class NestedSagasTest {
    private static final int SAGAS = 8;

    @TempDir
    Path directory;

    private final FaultyRepository store = new FaultyRepository();
    private final String saga = UUID.randomUUID().toString();

    private static String inner(String outer) {
        return outer + "-in";
    }

    /** Begins the outer saga with the inner one in it, and prepares that. */
    private static void prepare(TestOmega trips, TestOmega hotel, String outer) {
        trips.ask(begin(1, outer));
        hotel.run(outer, "before");
        assertThat(trips.ask(beginNestedBranch(outer)).hasAccepted()).isTrue();
        assertThat(trips.ask(beginNested(outer)).hasAccepted()).isTrue();
        assertThat(hotel.ask(branch(inner(outer))).hasAccepted()).isTrue();
        assertThat(hotel.ask(endBranch(2, inner(outer), "b")).hasAccepted()).isTrue();
        assertThat(trips.ask(end(2, inner(outer), true)).hasAccepted())
                .as("it is prepared")
                .isTrue();
        assertThat(trips.ask(endBranch(3, outer, "ride")).hasAccepted()).isTrue();
    }

    private static Input beginNestedBranch(String outer) {
        return input(1, outer)
                .setBeginNestedBranch(BeginNestedBranch.newBuilder()
                        .setBranch(BeginBranch.newBuilder().setBranch("ride").setOperation("Rides.book"))
                        .setSaga(inner(outer)))
                .build();
    }

    private static Input beginNested(String outer) {
        return input(1, inner(outer))
                .setBeginNested(BeginNested.newBuilder()
                        .setBegin(BeginSaga.newBuilder().setOperation("Rides.book"))
                        .setParentSaga(outer)
                        .setParentBranch("ride"))
                .build();
    }

    private static Input branch(String of) {
        return input(1, of)
                .setBeginBranch(BeginBranch.newBuilder()
                        .setBranch("b")
                        .setOperation("Hotels.reserve")
                        .setCompensation(CallbackOffer.newBuilder().setName("cancel"))
                        .setConfirmation(CallbackOffer.newBuilder().setName("confirm"))
                        .setFenced(true))
                .build();
    }

    private Optional<Outcome> outcome(String id) {
        return store.journal(new SagaId(id)).stream()
                .filter(SagaEvent.Ended.class::isInstance)
                .map(event -> ((SagaEvent.Ended) event).outcome())
                .findFirst();
    }

    private boolean areBoth(String outer, Outcome wanted) {
        Optional<Outcome> both = Optional.of(wanted);
        return outcome(outer).equals(both) && outcome(inner(outer)).equals(both);
    }

    /** Half of them are committed, the others aborted; each has one callback of the inner saga, and these of the outer. */
    private void decide(TestOmega trips, TestOmega hotel, List<String> ids) {
        for (int i = 0; i < ids.size(); i++) {
            if (i % 2 == 0)
                assertThat(trips.ask(end(9, ids.get(i), true)).hasCommitted()).isTrue();
            else assertThat(trips.ask(abort(9, ids.get(i))).hasAborted()).isTrue();
        }
        int callbacks = ids.size() / 2 + 2 * (ids.size() / 2); // One confirmation, or two compensations.
        for (int i = 0; i < callbacks; i++) {
            Callback callback = hotel.callback();
            boolean inner = callback.getSaga().endsWith("-in");
            boolean undone = outcomeIsAbort(callback.getSaga());
            assertThat(callback.getKind()).isEqualTo(undone ? CallbackKind.COMPENSATION : CallbackKind.CONFIRMATION);
            if (undone && !inner) {
                assertThat(outcome(inner(callback.getSaga())))
                        .as("what began later is undone before")
                        .contains(Outcome.COMPENSATED);
            }
            hotel.succeed(callback);
        }
        for (int i = 0; i < ids.size(); i++) {
            String id = ids.get(i);
            Outcome wanted = i % 2 == 0 ? Outcome.COMMITTED : Outcome.COMPENSATED;
            await().until(() -> areBoth(id, wanted));
        }
    }

    private boolean outcomeIsAbort(String id) {
        return store.journal(new SagaId(id)).stream().anyMatch(SagaEvent.Aborted.class::isInstance);
    }

    @Test
    void nested_sagas_are_decided_across_nodes_and_by_the_node_that_takes_them_over() {
        int first = ServerProcess.freePort();
        List<String> ids = IntStream.range(0, SAGAS).mapToObj(i -> saga + i).toList();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestOmega trips = TestOmega.welcomed(one.server.port(), "trips", "t-1");
                TestOmega hotel = TestOmega.welcomed(one.server.port(), "hotel", "h-1")) {
            try (TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first))) {
                await().until(() -> {
                    trips.ask(begin(1, UUID.randomUUID().toString()));
                    return two.node.sagasInMemory() > 0;
                });
                ids.forEach(id -> prepare(trips, hotel, id));
                assertThat(hotel.callbacks).as("nothing is decided").isEmpty();
                decide(trips, hotel, ids.subList(0, SAGAS / 2));
            }
            decide(trips, hotel, ids.subList(SAGAS / 2, SAGAS));
        }
    }

    @Test
    void a_nested_saga_that_is_prepared_survives_a_kill_and_is_committed_after_it_and_shown_meanwhile() {
        try (AlphaProcess killed = AlphaProcess.start(directory).awaitReady();
                TestOmega trips = TestOmega.welcomed(port(killed), "trips", "t-1");
                TestOmega hotel = TestOmega.welcomed(port(killed), "hotel", "h-1")) {
            prepare(trips, hotel, saga);
            killed.kill();
        }
        try (AlphaProcess next = AlphaProcess.start(directory).awaitReady();
                TestOmega trips = TestOmega.welcomed(port(next), "trips", "t-2");
                TestOmega hotel = TestOmega.welcomed(port(next), "hotel", "h-2")) {
            assertThat(next.get("/api/v1/sagas/" + inner(saga)).body())
                    .contains("\"prepared\":true", "\"state\":\"ACTIVE\"");
            assertThat(next.get("/sagas/" + saga, "text/html").body())
                    .contains("id=\"part-ride\"", "href=\"/sagas/" + inner(saga) + "\"");
            assertThat(next.get("/sagas/" + inner(saga), "text/html").body())
                    .contains("id=\"parent\" href=\"/sagas/" + saga + "\"", "It is prepared");
            assertThat(hotel.callbacks).isEmpty();

            assertThat(trips.ask(end(1, saga, true)).hasCommitted()).isTrue();
            Callback confirmation = hotel.callback();
            assertThat(confirmation.getSaga()).isEqualTo(inner(saga));
            assertThat(confirmation.getKind()).isEqualTo(CallbackKind.CONFIRMATION);
            hotel.succeed(confirmation);
            await().until(
                            () -> next.get("/api/v1/sagas/" + saga).body(),
                            body -> body.contains("\"state\":\"COMMITTED\"") && !body.contains("CONFIRMING"));
        }
    }

    private static int port(AlphaProcess alpha) {
        return Integer.parseInt(alpha.grpcAddress().replaceAll(".*:", ""));
    }
}
