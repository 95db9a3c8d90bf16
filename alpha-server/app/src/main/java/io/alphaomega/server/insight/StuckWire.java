package io.alphaomega.server.insight;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import io.alphaomega.server.sweep.StuckSaga;
import io.alphaomega.server.sweep.StuckSagas.Group;
import io.alphaomega.server.sweep.StuckSagas.Kind;
import io.alphaomega.server.wire.v1.Remoting;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The sagas that are stuck, between alpha nodes. */
final class StuckWire {
    private StuckWire() {}

    static Remoting.Stuck.Builder wire(StuckView stuck) {
        Remoting.Stuck.Builder wire = Remoting.Stuck.newBuilder()
                .setAsOfMillis(stuck.asOf().toEpochMilli())
                .setStale(stuck.stale())
                .setMore(stuck.more())
                .setCount(stuck.count())
                .setUnread(stuck.unread());
        stuck.oldestOpen().ifPresent(begun -> wire.setOldestOpenMillis(begun.toEpochMilli()));
        for (State state : State.values()) {
            if (stuck.open().in(state) > 0) {
                wire.putOpen(state.name(), stuck.open().in(state));
            }
        }
        for (Group group : stuck.groups()) wire.addGroups(wire(group));
        for (Group group : stuck.waiting()) wire.addWaiting(wire(group));
        for (StuckSaga saga : stuck.sagas()) wire.addSagas(wire(saga));
        stuck.weight()
                .ifPresent(weight -> wire.setWeight(
                        Remoting.Weight.newBuilder().setMeant(weight.meant()).setUnfit(weight.unfit())));
        return wire;
    }

    private static Remoting.StuckGroup.Builder wire(Group group) {
        Kind kind = group.kind();
        return Remoting.StuckGroup.newBuilder()
                .setWhy(why(kind.reason(), kind.detail(), kind.service(), kind.callback()))
                .setCount(group.count())
                .setOldestMillis(group.oldest().toEpochMilli());
    }

    /** Without those of a reason that a newer node knows and this one does not. */
    private static List<Group> groups(List<Remoting.StuckGroup> wire) {
        List<Group> groups = new ArrayList<>();
        for (Remoting.StuckGroup group : wire) {
            Remoting.StuckWhy why = group.getWhy();
            InsightSerializer.reason(why.getReason())
                    .map(reason -> new Kind(
                            reason, why.getDetail(), why.getService(), InsightSerializer.text(why.getCallback())))
                    .ifPresent(kind -> groups.add(
                            new Group(kind, group.getCount(), Instant.ofEpochMilli(group.getOldestMillis()))));
        }
        return groups;
    }

    static StuckView stuck(Remoting.Stuck wire) {
        Map<State, Long> open = new EnumMap<>(State.class);
        for (State state : State.values()) {
            if (wire.containsOpen(state.name())) open.put(state, wire.getOpenOrThrow(state.name()));
        }
        List<StuckSaga> sagas = new ArrayList<>();
        for (Remoting.StuckSaga saga : wire.getSagasList()) saga(saga).ifPresent(sagas::add);
        return new StuckView(
                Instant.ofEpochMilli(wire.getAsOfMillis()),
                wire.getStale(),
                wire.getMore(),
                new SagaCounts(open),
                wire.hasOldestOpenMillis()
                        ? Optional.of(Instant.ofEpochMilli(wire.getOldestOpenMillis()))
                        : Optional.empty(),
                wire.getCount(),
                groups(wire.getGroupsList()),
                sagas,
                wire.hasWeight()
                        ? Optional.of(new StuckView.Weight(
                                wire.getWeight().getMeant(), wire.getWeight().getUnfit()))
                        : Optional.empty(),
                groups(wire.getWaitingList()),
                wire.getUnread());
    }

    private static Remoting.StuckSaga.Builder wire(StuckSaga saga) {
        Stuck stuck = saga.stuck();
        return Remoting.StuckSaga.newBuilder()
                .setSaga(saga.id().value())
                .setSequence(saga.sequence())
                .setState(saga.state().name())
                .setInitiator(saga.initiator())
                .setOperation(saga.operation())
                .setBusinessKey(saga.businessKey())
                .setWhy(why(stuck.reason(), stuck.detail(), stuck.service(), stuck.callback()))
                .setBranch(stuck.branch().map(BranchId::value).orElse(""))
                .setSinceMillis(stuck.since().toEpochMilli())
                .setDecided(saga.decided().map(Outcome::name).orElse(""));
    }

    /** Empty if a newer node knows a reason or a state that this one does not. */
    private static Optional<StuckSaga> saga(Remoting.StuckSaga wire) {
        Optional<State> state = InsightSerializer.named(State.values(), wire.getState());
        Remoting.StuckWhy why = wire.getWhy();
        Instant since = Instant.ofEpochMilli(wire.getSinceMillis());
        return InsightSerializer.reason(why.getReason())
                .flatMap(reason -> state.map(known -> new StuckSaga(
                        new SagaId(wire.getSaga()),
                        wire.getSequence(),
                        known,
                        wire.getInitiator(),
                        wire.getOperation(),
                        wire.getBusinessKey(),
                        new Stuck(
                                reason,
                                why.getDetail(),
                                why.getService(),
                                InsightSerializer.text(wire.getBranch()).map(BranchId::new),
                                InsightSerializer.text(why.getCallback()),
                                since,
                                since),
                        InsightSerializer.named(Outcome.values(), wire.getDecided()))));
    }

    private static Remoting.StuckWhy.Builder why(
            Stuck.Reason reason, String detail, String service, Optional<String> callback) {
        return Remoting.StuckWhy.newBuilder()
                .setReason(reason.name())
                .setDetail(detail)
                .setService(service)
                .setCallback(callback.orElse(""));
    }
}
