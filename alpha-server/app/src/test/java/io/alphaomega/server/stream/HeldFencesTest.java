package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.begin;
import static io.alphaomega.server.stream.TestOmega.beginBranch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.FenceFinding.Finding;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Sagas are held since the store was set back, and the fences of their services are asked, over streams to a real node. */
class HeldFencesTest extends OnOneNode {
    private List<Evidence> evidence(String saga) {
        return store.journal(new SagaId(saga)).stream()
                .filter(SagaEvent.FenceAnswered.class::isInstance)
                .map(event -> ((SagaEvent.FenceAnswered) event).evidence())
                .toList();
    }

    private static void hold(List<String> sagas) {
        Instant now = alpha.node.clock.instant();
        Restoration restoration = new Restoration(now, now.plusSeconds(1), "It is older.");
        for (String saga : sagas) {
            alpha.node.sagas.tell(
                    new SagaId(saga),
                    new SagaInput.Hold(restoration),
                    alpha.node.cluster.system().ignoreRef());
        }
        await().atMost(Patience.LIMIT)
                .until(() -> sagas.stream()
                        .allMatch(saga ->
                                store.journal(new SagaId(saga)).stream().anyMatch(SagaEvent.Held.class::isInstance)));
    }

    private TestOmega inquirable(String instance, Map<String, Finding> fence) {
        return closedLater(TestOmega.welcomedAgain(alpha.server.port(), service, instance, List.of(), fence));
    }

    @Test
    void an_older_omega_is_never_asked_and_a_newer_one_that_connects_later_is() {
        TestOmega older = omega("h-1");
        older.ask(begin(1, saga));
        older.run(saga, "b");
        hold(List.of(saga));
        assertThat(older.ask(TestOmega.end(3, saga, true)).hasUnavailable()).isTrue();

        inquirable("h-2", Map.of(saga, Finding.RAN));

        await().atMost(Patience.LIMIT).until(() -> !evidence(saga).isEmpty());
        assertThat(evidence(saga))
                .singleElement()
                .satisfies(said -> assertThat(said.finding()).isEqualTo(Evidence.Finding.RAN));
        assertThat(older.callbackAtHand()).isEmpty();
    }

    @Test
    void the_fences_of_more_sagas_than_there_is_room_for_are_all_asked() {
        List<String> sagas = IntStream.range(0, Inquiries.MAX + 300)
                .mapToObj(i -> saga + "-" + i)
                .toList();
        TestOmega older = omega("h-1");
        for (String each : sagas) older.send(begin(1, each), beginBranch(2, each, "b"));
        assertThat(older.acks(2 * sagas.size())).allMatch(Ack::hasAccepted);
        hold(sagas);

        TestOmega newer = inquirable("h-2", Map.of());

        await().atMost(Patience.LIMIT)
                .untilAsserted(
                        () -> assertThat(sagas).allMatch(each -> evidence(each).size() == 1));
        assertThat(newer.callbackAtHand()).as("nobody is called back").isEmpty();
    }
}
