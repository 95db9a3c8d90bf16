package io.alphaomega.server.saga;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import akka.actor.testkit.typed.javadsl.ActorTestKit;
import akka.actor.testkit.typed.javadsl.ManualTime;
import akka.actor.testkit.typed.javadsl.TestProbe;
import akka.actor.typed.ActorRef;
import akka.cluster.sharding.typed.javadsl.ClusterSharding;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackOffer;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.repository.AppendListener;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Function;

/** Actors of one saga on a store that fails where it is told to; the test is the shard, the router and the callers. */
public final class SagaBench implements AutoCloseable {
    public static final Reply ACCEPTED = new Reply.Accepted();

    public static final Duration PASSIVATE_AFTER = Duration.ofSeconds(30);
    public static final Policy POLICY = Policy.DEFAULT;

    private static final Config CONFIG = ConfigFactory.parseString("""
                    akka.actor.provider = local
                    akka.actor.serialize-messages = on
                    akka.actor.no-serialization-verification-needed-class-prefix = ["akka."]
                    akka.loglevel = WARNING
                    akka.actor.testkit.typed.timefactor = 5
                    akka.actor.testkit.typed.single-expect-default = 24s
                    """)
            .withFallback(ManualTime.config())
            .withFallback(ConfigFactory.parseResources("akka.conf"))
            .withFallback(ConfigFactory.load());

    public final SagaId id = new SagaId(UUID.randomUUID().toString());
    public final FaultyRepository store = new FaultyRepository();
    public final ManualClock clock = new ManualClock();
    public final UnreadableSagas unreadable = new UnreadableSagas(clock);
    public Alerts alerts = new Alerts();
    public final LocalSagas localSagas = new LocalSagas();
    public final Holds holds = new Holds();
    /** The way to other sagas. */
    public final Sagas sagas = new Sagas();

    public SagaMemory memory = new SagaMemory(Runtime.getRuntime().maxMemory(), PASSIVATE_AFTER);
    public final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    public final SagaMetrics metrics = new SagaMetrics(meters, unreadable);
    public final ActorTestKit kit = ActorTestKit.create("saga", CONFIG.resolve());
    public final ManualTime time = ManualTime.get(kit.system());
    public final TestProbe<ClusterSharding.ShardCommand> shard = kit.createTestProbe();
    public final TestProbe<RouterCommand> participants = kit.createTestProbe();
    public final TestProbe<SagaReply> caller = kit.createTestProbe();
    public final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    /** How appends reach the store. */
    public Function<Append, CompletableFuture<AppendResult>> append = one ->
            CompletableFuture.supplyAsync(() -> store.append(List.of(one)).getFirst(), threads);

    /** Whom the store tells what became of it, and when, and how often. */
    public BiConsumer<Append, AppendListener> submit = this::submit;

    private void submit(Append one, AppendListener waiter) {
        CompletableFuture<AppendResult> appended = append.apply(one);
        threads.execute(() -> {
            try {
                waiter.stored(appended.join());
            } catch (CompletionException e) {
                waiter.failed(e.getCause() instanceof RuntimeException failure ? failure : e);
            }
        });
    }

    /** Another owner of the saga, as far as it knows the only one. */
    public ActorRef<SagaCommand> owner() {
        SagaJournal journal = new SagaJournal(store, (one, waiter) -> submit.accept(one, waiter), threads);
        SagaActor.Shared shared = new SagaActor.Shared(
                journal,
                clock,
                participants.getRef(),
                metrics,
                SagaTraces.off(),
                unreadable,
                alerts,
                new WrongAnswers(clock),
                new Ownership(clock, meters, Duration.ZERO),
                sagas,
                localSagas,
                memory,
                holds);
        return kit.spawn(SagaActor.create(id, shard.getRef(), shared));
    }

    public void tell(ActorRef<SagaCommand> saga, SagaInput input, long correlation) {
        saga.tell(new Deliver(id, input, correlation, caller.getRef()));
    }

    public SagaReply.Outcome ask(ActorRef<SagaCommand> saga, SagaInput input) {
        TestProbe<SagaReply> asker = kit.createTestProbe();
        saga.tell(new Deliver(id, input, 1, asker.getRef()));
        return asker.receiveMessage(Patience.LIMIT).outcome();
    }

    /** Asks and expects that the rules decide. */
    public Reply decided(ActorRef<SagaCommand> saga, SagaInput input) {
        SagaReply.Outcome outcome = ask(saga, input);
        assertThat(outcome).isInstanceOf(SagaReply.Outcome.Decided.class);
        return ((SagaReply.Outcome.Decided) outcome).reply();
    }

    public static SagaReply.Outcome decided(Reply reply) {
        return new SagaReply.Outcome.Decided(reply);
    }

    /** The next answers to what was told. */
    public List<SagaReply.Outcome> outcomes(int replies) {
        return caller.receiveSeveralMessages(replies, Patience.LIMIT).stream()
                .map(SagaReply::outcome)
                .toList();
    }

    public void awaitAppends(int appends) {
        await().until(() -> store.appends.size() == appends);
    }

    public List<Class<?>> journal() {
        return store.journal(id).stream().<Class<?>>map(SagaEvent::getClass).toList();
    }

    public void pass(Duration duration) {
        clock.advance(duration);
        time.timePasses(duration);
    }

    public double count(String meter, String... tags) {
        return meters.counter(meter, tags).count();
    }

    // ---- inputs

    public static SagaInput begin() {
        return new SagaInput.Begin(new Initiator("booking", "booking-1", "Trips.book", "", Map.of()), POLICY);
    }

    public static SagaInput beginBranch(String branch) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        new BranchId(branch),
                        Optional.empty(),
                        "hotel",
                        "hotel-1",
                        "Hotels.reserve",
                        Optional.of(new CallbackOffer("cancel", Optional.empty())),
                        Optional.empty(),
                        true,
                        "",
                        false,
                        Payload.EMPTY,
                        ""),
                Optional.empty());
    }

    public static SagaInput endBranch(String branch) {
        return new SagaInput.EndBranch(new BranchId(branch), Payload.EMPTY, "hotel");
    }

    public static SagaInput abort() {
        return new SagaInput.Abort("changed my mind");
    }

    @Override
    public void close() {
        store.releaseAll();
        kit.shutdownTestKit();
        threads.shutdownNow();
        store.close();
    }
}
