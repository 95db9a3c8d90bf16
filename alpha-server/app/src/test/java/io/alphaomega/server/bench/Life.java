package io.alphaomega.server.bench;

import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What happens to a saga from its begin to its end, as an omega reports it: each branch ends before the next begins. */
final class Life {
    static final Instant AT = Instant.parse("2026-11-20T08:00:00.123Z");

    /** About what the arguments of a small call come to in JSON. */
    static final int PAYLOAD_BYTES = 64;

    private Life() {}

    static SagaId newId() {
        return new SagaId(UUID.randomUUID().toString());
    }

    /** With {@code branches} that end, and without what ends the saga. */
    static List<SagaInput> forward(int branches) {
        List<SagaInput> inputs = new ArrayList<>();
        inputs.add(
                new SagaInput.Begin(new Initiator("booking", "booking-1", "Trips.book", "", Map.of()), Policy.DEFAULT));
        for (int i = 0; i < branches; i++) {
            BranchId branch = new BranchId(UUID.randomUUID().toString());
            inputs.add(new SagaInput.BeginBranch(
                    new BranchCall(
                            branch,
                            Optional.empty(),
                            "service-" + i % 3,
                            "service-" + i % 3 + "-1",
                            "Rooms.reserve",
                            Optional.of(new CallbackOffer("cancel", Optional.empty())),
                            Optional.empty(),
                            true,
                            "",
                            false,
                            new Payload(new byte[PAYLOAD_BYTES]),
                            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"),
                    Optional.empty()));
            inputs.add(new SagaInput.EndBranch(branch, Payload.EMPTY, "service-" + i % 3));
        }
        return inputs;
    }

    static List<SagaInput> committed(int branches) {
        List<SagaInput> inputs = forward(branches);
        inputs.add(new SagaInput.End(true));
        return inputs;
    }

    /** The journal that those inputs make. */
    static List<SagaEvent> events(List<SagaInput> inputs) {
        List<SagaEvent> events = new ArrayList<>();
        SagaState state = new SagaState.Absent(newId());
        for (SagaInput input : inputs) {
            Decision decision = SagaRules.decide(state, input, AT);
            for (SagaEvent event : decision.events()) state = SagaRules.evolve(state, event);
            events.addAll(decision.events());
        }
        return events;
    }
}
