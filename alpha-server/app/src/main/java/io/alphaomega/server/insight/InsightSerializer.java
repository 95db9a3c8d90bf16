package io.alphaomega.server.insight;

import akka.actor.ExtendedActorSystem;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.bulk.BulkStatus;
import io.alphaomega.server.bulk.BulkTask;
import io.alphaomega.server.meters.Waits;
import io.alphaomega.server.saga.SagaMetrics.Totals;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import io.alphaomega.server.wire.MessageSerializer;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/** What people want to see, between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. */
public final class InsightSerializer extends MessageSerializer {
    private final ExtendedActorSystem system;

    public InsightSerializer(ExtendedActorSystem system) {
        super(814);
        this.system = system;
        format("insight.ask.v1", AskInsight.class, this::wire, Remoting.AskInsight.parser(), this::ask);
        format(
                "insight.v1",
                Insight.class,
                InsightSerializer::wire,
                Remoting.Insight.parser(),
                InsightSerializer::insight);
    }

    // ---- the question

    private AskInsight ask(Remoting.AskInsight wire) {
        Remoting.StuckFilter filter = wire.getStuck();
        return new AskInsight(
                refs(system).resolveActorRef(wire.getReplyTo()),
                new StuckFilter(
                        reason(filter.getReason()),
                        text(filter.getService()),
                        task(filter),
                        Math.min(filter.getLimit(), StuckFilter.LIMIT_MAX)),
                wire.hasPut() ? BulkWire.status(wire.getPut()) : Optional.empty());
    }

    /** Empty also if a newer node asks about a task that this one does not know: it says so by {@code carries_out}. */
    private static Optional<BulkTask.OfStuck> task(Remoting.StuckFilter wire) {
        return wire.hasTask()
                ? BulkWire.task(wire.getTask())
                        .filter(BulkTask.OfStuck.class::isInstance)
                        .map(BulkTask.OfStuck.class::cast)
                : Optional.empty();
    }

    private Remoting.AskInsight wire(AskInsight ask) {
        Remoting.AskInsight.Builder wire = Remoting.AskInsight.newBuilder()
                .setReplyTo(refs(system).toSerializationFormat(ask.replyTo()))
                .setStuck(wire(ask.stuck()));
        ask.put().ifPresent(bulk -> wire.setPut(BulkWire.wire(bulk)));
        return wire.build();
    }

    private static Remoting.StuckFilter.Builder wire(StuckFilter filter) {
        Remoting.StuckFilter.Builder wire = Remoting.StuckFilter.newBuilder()
                .setReason(filter.reason().map(Stuck.Reason::name).orElse(""))
                .setService(filter.service().orElse(""))
                .setLimit(filter.limit());
        filter.task().ifPresent(task -> wire.setTask(BulkWire.wire(task)));
        return wire;
    }

    // ---- the answer

    private static Remoting.Insight wire(Insight insight) {
        Remoting.Insight.Builder wire = Remoting.Insight.newBuilder().setRates(wire(insight.rates()));
        wire(insight.acknowledged()).ifPresent(wire::setAcknowledged);
        wire(insight.stored()).ifPresent(wire::setStored);
        for (Insight.Service service : insight.services()) wire.addServices(wire(service));
        insight.stuck().ifPresent(stuck -> wire.setStuck(StuckWire.wire(stuck)));
        for (BulkStatus bulk : insight.bulk()) wire.addBulk(BulkWire.wire(bulk));
        // As the first version did, which did not say.
        if (!insight.carriesOut().equals(Insight.RETRIES_ONLY))
            wire.addAllCarriesOut(new TreeSet<>(insight.carriesOut()));
        insight.standing().ifPresent(standing -> wire.setStanding(wire(standing)));
        return wire.build();
    }

    private static Insight insight(Remoting.Insight wire) {
        return new Insight(
                wire.getServicesList().stream().map(InsightSerializer::service).toList(),
                rates(wire.getRates()),
                waits(wire.getAcknowledged()),
                waits(wire.getStored()),
                wire.hasStuck() ? Optional.of(StuckWire.stuck(wire.getStuck())) : Optional.empty(),
                wire.getBulkList().stream()
                        .flatMap(bulk -> BulkWire.status(bulk).stream())
                        .toList(),
                wire.getCarriesOutCount() == 0 ? Insight.RETRIES_ONLY : new TreeSet<>(wire.getCarriesOutList()),
                wire.hasStanding() ? Optional.of(standing(wire.getStanding())) : Optional.empty());
    }

    private static Remoting.Standing.Builder wire(Standing standing) {
        Remoting.Standing.Builder wire = Remoting.Standing.newBuilder().setShards(standing.shards());
        standing.storeAway().ifPresent(since -> wire.setStoreAwayMillis(since.toEpochMilli()));
        standing.missing().forEach((node, since) -> wire.putMissing(node, since.toEpochMilli()));
        standing.list()
                .ifPresent(list -> wire.setList(Remoting.Standing.Backlog.newBuilder()
                        .setPending(list.pending())
                        .setAway(list.away())));
        return wire;
    }

    private static Standing standing(Remoting.Standing wire) {
        Map<String, Instant> missing = new TreeMap<>();
        wire.getMissingMap().forEach((node, since) -> missing.put(node, Instant.ofEpochMilli(since)));
        return new Standing(
                wire.hasStoreAwayMillis()
                        ? Optional.of(Instant.ofEpochMilli(wire.getStoreAwayMillis()))
                        : Optional.empty(),
                wire.getShards(),
                missing,
                wire.hasList()
                        ? Optional.of(new Standing.Backlog(
                                wire.getList().getPending(), wire.getList().getAway()))
                        : Optional.empty());
    }

    private static Remoting.Service.Builder wire(Insight.Service service) {
        Remoting.Service.Builder wire = Remoting.Service.newBuilder()
                .setName(service.name())
                .addAllCallbacks(service.callbacks())
                .setFurther(service.further());
        for (Lack lack : service.lacking()) {
            wire.addLacking(Remoting.Lack.newBuilder()
                    .setCallback(lack.callback())
                    .setSagas(lack.sagas())
                    .setMore(lack.more()));
        }
        for (Insight.Seen seen : service.instances()) {
            wire.addInstances(Remoting.Instance.newBuilder()
                    .setName(seen.name())
                    .setVersion(seen.version())
                    .setBuild(seen.build())
                    .setStreams(seen.streams())
                    .setSinceMillis(seen.since().toEpochMilli())
                    .setSeenMillis(seen.seen().toEpochMilli()));
        }
        return wire;
    }

    private static Insight.Service service(Remoting.Service wire) {
        return new Insight.Service(
                wire.getName(),
                new TreeSet<>(wire.getCallbacksList()),
                wire.getLackingList().stream()
                        .map(lack -> new Lack(lack.getCallback(), lack.getSagas(), lack.getMore()))
                        .toList(),
                wire.getInstancesList().stream()
                        .map(seen -> new Insight.Seen(
                                seen.getName(),
                                seen.getVersion(),
                                seen.getBuild(),
                                seen.getStreams(),
                                Instant.ofEpochMilli(seen.getSinceMillis()),
                                Instant.ofEpochMilli(seen.getSeenMillis())))
                        .toList(),
                wire.getFurther());
    }

    private static Remoting.Rates.Builder wire(Rates rates) {
        Remoting.Rates.Builder wire = Remoting.Rates.newBuilder().setLastSecond(rates.lastSecond());
        for (Totals second : rates.seconds()) {
            wire.addBegun((int) second.begun())
                    .addCommitted((int) second.committed())
                    .addCompensated((int) second.compensated())
                    .addSuspended((int) second.suspended());
        }
        return wire;
    }

    private static Rates rates(Remoting.Rates wire) {
        List<Totals> seconds = new ArrayList<>(wire.getBegunCount());
        for (int i = 0; i < wire.getBegunCount(); i++) {
            seconds.add(
                    new Totals(wire.getBegun(i), wire.getCommitted(i), wire.getCompensated(i), wire.getSuspended(i)));
        }
        return new Rates(wire.getLastSecond(), seconds);
    }

    /** With all bounds, since between them is interpolated. */
    private static Optional<Remoting.Waits> wire(Waits waits) {
        if (waits.counts().values().stream().allMatch(count -> count == 0)) return Optional.empty();
        return Optional.of(Remoting.Waits.newBuilder()
                .addAllUpToMicros(waits.counts().keySet())
                .addAllCounts(waits.counts().values())
                .build());
    }

    private static Waits waits(Remoting.Waits wire) {
        SortedMap<Long, Long> counts = new TreeMap<>();
        for (int i = 0; i < Math.min(wire.getUpToMicrosCount(), wire.getCountsCount()); i++) {
            counts.put(wire.getUpToMicros(i), wire.getCounts(i));
        }
        return new Waits(counts);
    }

    static Optional<Stuck.Reason> reason(String name) {
        return named(Stuck.Reason.values(), name);
    }

    static <E extends Enum<E>> Optional<E> named(E[] all, String name) {
        for (E each : all) {
            if (each.name().equals(name)) return Optional.of(each);
        }
        return Optional.empty();
    }

    static Optional<String> text(String value) {
        return Optional.of(value).filter(text -> !text.isEmpty());
    }
}
