package io.alphaomega.server.stream;

import static io.alphaomega.server.stream.TestOmega.abort;
import static io.alphaomega.server.stream.TestOmega.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.typed.ActorRef;
import akka.actor.typed.Props;
import akka.actor.typed.javadsl.Behaviors;
import akka.actor.typed.receptionist.Receptionist;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.saga.TestNode;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a node's router of callbacks remembers of services, and for how long. */
class CallbackRouterTest {
    private final FaultyRepository store = new FaultyRepository();
    private final String saga = UUID.randomUUID().toString();

    private static double services(TestAlpha alpha) {
        return alpha.node.meters.get("alpha.callbacks.services").gauge().value();
    }

    private List<SagaEvent> journal() {
        return store.journal(new SagaId(saga));
    }

    @Test
    void of_ten_thousand_services_that_come_and_go_none_stays() {
        int names = 10_000;
        RunCallback last = new RunCallback(Callback.getDefaultInstance());
        try (TestAlpha alpha = new TestAlpha(store, TestNode.alone(), false)) {
            List<ActorRef<RunCallback>> connections = new ArrayList<>();
            for (int i = 0; i < names; i++) {
                String service = "service-" + i;
                ActorRef<RunCallback> connection = alpha.node
                        .cluster
                        .system()
                        .systemActorOf(
                                Behaviors.<RunCallback>receiveMessage(told -> Behaviors.stopped()),
                                Participant.name(i, 1, "i", "", false),
                                Props.empty());
                connections.add(connection);
                alpha.node
                        .cluster
                        .system()
                        .receptionist()
                        .tell(Receptionist.register(CallbackRouter.key(service), connection));
                alpha.node.cluster.participants().tell(new CallbackRouter.Connected(service, connection));
            }
            await().until(() -> services(alpha) == names);

            connections.forEach(connection -> connection.tell(last));

            await().until(() -> services(alpha) == 0);
        }
    }

    @Test
    void a_service_that_was_forgotten_wakes_its_sagas_when_it_comes_back() {
        try (TestAlpha alpha = new TestAlpha(store, TestNode.alone())) {
            comesBack(alpha, alpha);
        }
    }

    @Test
    void a_service_that_was_forgotten_wakes_its_sagas_when_it_comes_back_at_another_node() {
        int first = ServerProcess.freePort();
        try (TestAlpha one = new TestAlpha(store, TestNode.at(first, first));
                TestAlpha two = new TestAlpha(store, TestNode.at(ServerProcess.freePort(), first))) {
            comesBack(one, two);
        }
    }

    private void comesBack(TestAlpha before, TestAlpha after) {
        try (TestOmega ran = TestOmega.welcomed(before.server.port(), "hotel", "h-1")) {
            assertThat(ran.ask(begin(1, saga)).hasAccepted()).isTrue();
            ran.run(saga, "b");
        }
        try (TestOmega booking = TestOmega.welcomed(before.server.port(), "booking", "b-1")) {
            await().until(() -> booking.ask(abort(1, saga)).hasAborted());
            await().until(() -> journal().stream().anyMatch(SagaEvent.ParticipantMissed.class::isInstance));
        }
        await().until(() -> Stream.of(before, after).allMatch(alpha -> services(alpha) == 0));

        try (TestOmega successor = TestOmega.welcomed(after.server.port(), "hotel", "h-2")) {
            successor.succeed(successor.callback());
            await().until(() -> journal().stream().anyMatch(SagaEvent.Ended.class::isInstance));
        }
    }
}
