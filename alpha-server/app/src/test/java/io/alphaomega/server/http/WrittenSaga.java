package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Decision;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.saga.SagaRules;
import io.alphaomega.saga.SagaState;
import io.alphaomega.server.journal.JournalCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A saga that a test lets happen, by the real rules, and writes into a repository. */
public final class WrittenSaga {
    public static final Instant BEGUN = Instant.parse("2026-11-20T09:00:00Z");

    private static final int BATCH = 500;

    private final SagaRepository repository;
    private SagaState state;
    private Version version = Version.NONE;
    private Instant now;
    private final List<StoredEvent> held = new ArrayList<>();
    private boolean holds;

    public WrittenSaga(SagaRepository repository, String id) {
        this(repository, id, BEGUN);
    }

    /** Everything happens at {@code now}, unless it is {@link #later}. */
    public WrittenSaga(SagaRepository repository, String id, Instant now) {
        this.repository = repository;
        this.now = now;
        this.state = new SagaState.Absent(new SagaId(id));
    }

    /** What happens is not written before {@link #write}, with that of others. */
    public WrittenSaga holding() {
        holds = true;
        return this;
    }

    /** Writes what many sagas hold, none of which was written before, in a few appends. */
    public static void write(SagaRepository repository, List<WrittenSaga> sagas) {
        for (int from = 0; from < sagas.size(); from += BATCH) {
            List<WrittenSaga> batch = sagas.subList(from, Math.min(sagas.size(), from + BATCH));
            assertThat(repository.append(batch.stream()
                            .map(saga -> new Append(
                                    saga.state.id(),
                                    Version.NONE,
                                    saga.held,
                                    SagaSummary.of((SagaState.Known) saga.state, saga.now)))
                            .toList()))
                    .allMatch(Appended.class::isInstance);
        }
    }

    /** What follows happens after a while. */
    public WrittenSaga later(Duration pause) {
        now = now.plus(pause);
        return this;
    }

    /** Begun by booking for {@code businessKey}. */
    public WrittenSaga begun(String businessKey) {
        return input(new SagaInput.Begin(
                new Initiator("booking", "booking-1", "Booking.book", businessKey, Map.of("tenant", "acme")),
                Policy.DEFAULT));
    }

    public WrittenSaga began(String branch, String service) {
        return began(branch, service, true, Optional.empty());
    }

    /** It may run for so long. */
    public WrittenSaga began(String branch, String service, Duration timeout) {
        return began(branch, service, true, Optional.of(timeout));
    }

    /** Its call is in that trace. */
    public WrittenSaga traced(String branch, String service, String traceparent) {
        return began(branch, service, true, Optional.empty(), traceparent);
    }

    /** Two branches have begun without a fence and never reported their ends; a person is asked about the first of them. */
    public WrittenSaga endsUnknown(String service) {
        Optional<Duration> timeout = Optional.of(Duration.ofSeconds(1));
        return begun("")
                .began("one", service, false, timeout)
                .began("two", service, false, timeout)
                .later(Duration.ofSeconds(2))
                .input(new SagaInput.Tick());
    }

    private WrittenSaga began(String branch, String service, boolean fenced, Optional<Duration> timeout) {
        return began(branch, service, fenced, timeout, "");
    }

    private WrittenSaga began(
            String branch, String service, boolean fenced, Optional<Duration> timeout, String traceparent) {
        return input(new SagaInput.BeginBranch(
                new BranchCall(
                        new BranchId(branch),
                        Optional.empty(),
                        service,
                        service + "-1",
                        "Rooms.reserve",
                        Optional.of(new CallbackOffer("rooms.cancel", Optional.empty())),
                        Optional.empty(),
                        fenced,
                        "",
                        false,
                        new Payload("a secret".getBytes(StandardCharsets.UTF_8)),
                        traceparent),
                timeout));
    }

    /** A branch that is that saga. */
    public WrittenSaga began(String branch, SagaId nested) {
        return input(nestedBranch(new BranchId(branch), nested));
    }

    public static SagaInput.BeginBranch nestedBranch(BranchId branch, SagaId nested) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        branch,
                        Optional.empty(),
                        "booking",
                        "booking-1",
                        "",
                        "Rides.book",
                        Optional.empty(),
                        Optional.empty(),
                        true,
                        "",
                        true,
                        Payload.EMPTY,
                        "",
                        Optional.of(nested)),
                Optional.empty());
    }

    /** Begun as that branch of another. */
    public WrittenSaga begunIn(String saga, String branch) {
        Parent parent = new Parent(new SagaId(saga), new BranchId(branch));
        return input(new SagaInput.BeginNested(
                new Initiator("booking", "booking-1", "Rides.book", "", Map.of(), "", Optional.of(parent)),
                Policy.DEFAULT));
    }

    public WrittenSaga ended(String branch) {
        return input(new SagaInput.EndBranch(new BranchId(branch), Payload.EMPTY, ""));
    }

    public WrittenSaga failed(String branch, String cause) {
        return input(new SagaInput.FailBranch(new BranchId(branch), cause, true, ""));
    }

    public WrittenSaga committed() {
        return input(new SagaInput.End(true));
    }

    /** Begun, aborted, and the hotel is asked to compensate. */
    public WrittenSaga compensating() {
        return begun("")
                .began("hotel", "hotel")
                .ended("hotel")
                .began("car", "car")
                .failed("car", "none left");
    }

    /** No instance of the service of the branch is connected. */
    public WrittenSaga missed(String branch) {
        return input(new SagaInput.MissParticipant(new BranchId(branch), CallbackKind.COMPENSATION, 1));
    }

    public WrittenSaga compensated(String branch) {
        return input(new SagaInput.SucceedCallback(new BranchId(branch), CallbackKind.COMPENSATION, 1, ""));
    }

    /** The attempt of that number failed; after ten seconds it is asked for once more. */
    public WrittenSaga compensationThrew(String branch, int attempt) {
        input(new SagaInput.FailCallback(
                new BranchId(branch), CallbackKind.COMPENSATION, attempt, FailureCode.THREW, "database is away", ""));
        return later(Duration.ofSeconds(10)).input(new SagaInput.Tick());
    }

    public WrittenSaga compensationUndecodable(String branch) {
        return compensationUndecodable(branch, 1);
    }

    public WrittenSaga compensationUndecodable(String branch, int attempt) {
        return input(new SagaInput.FailCallback(
                new BranchId(branch),
                CallbackKind.COMPENSATION,
                attempt,
                FailureCode.UNDECODABLE,
                "no such field: room",
                ""));
    }

    /** Begun, and waiting for a person because the hotel cannot read what it shall compensate. */
    public WrittenSaga suspended(String businessKey) {
        return suspended(businessKey, "hotel");
    }

    /** The same of another service. */
    public WrittenSaga suspended(String businessKey, String service) {
        return begun(businessKey)
                .began(service, service)
                .ended(service)
                .began("car", "car")
                .failed("car", "none left")
                .compensationUndecodable(service);
    }

    public WrittenSaga retried(String who, String why) {
        return input(new SagaInput.Retry(new Operator(who, why), sequence()));
    }

    public WrittenSaga skipped(String branch, String who, String why) {
        return input(new SagaInput.Skip(new Operator(who, why), sequence(), new BranchId(branch)));
    }

    public WrittenSaga resolved(Outcome outcome, String who, String why) {
        return input(new SagaInput.Resolve(new Operator(who, why), sequence(), outcome));
    }

    public WrittenSaga aborted(String who, String why) {
        return input(new SagaInput.AbortByOperator(new Operator(who, why), sequence()));
    }

    public long sequence() {
        return version.sequence();
    }

    /** Appends an event that no version of the journal knows. */
    public WrittenSaga damaged() {
        SagaSummary summary = SagaSummary.of((SagaState.Known) state, now);
        append(List.of(StoredEvent.of("saga.teleported.v9", new byte[3])), summary);
        return this;
    }

    public SagaState.Known state() {
        return (SagaState.Known) state;
    }

    /** Whatever else happens to it. */
    public WrittenSaga input(SagaInput input) {
        Decision decision = SagaRules.decide(state, input, now);
        assertThat(decision.events()).as("events after %s", input).isNotEmpty();
        List<StoredEvent> stored = new ArrayList<>();
        for (SagaEvent event : decision.events()) {
            state = SagaRules.evolve(state, event);
            stored.add(JournalCodec.encode(event));
        }
        if (holds) held.addAll(stored);
        else append(stored, SagaSummary.of((SagaState.Known) state, now));
        return this;
    }

    private void append(List<StoredEvent> events, SagaSummary summary) {
        var result = repository
                .append(List.of(new Append(state.id(), version, events, summary)))
                .getFirst();
        assertThat(result).isInstanceOf(Appended.class);
        version = ((Appended) result).version();
    }
}
