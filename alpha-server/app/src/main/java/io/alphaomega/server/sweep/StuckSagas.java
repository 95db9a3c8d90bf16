package io.alphaomega.server.sweep;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.Stuck;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The sagas that are stuck, as of one look at all that are open.
 *
 * @param more whether there are others: no more than {@link StuckScan#KEPT_MAX} are kept
 * @param open how many sagas are in each state that is not the end
 * @param oldestOpen when the oldest of these began, or one that is at most a quarter younger; empty if none is older than
 *     ten seconds
 * @param sagas those that have been stuck for longest first
 * @param groups of them, in the same order
 * @param inFlight the others that are decided and not over
 */
public record StuckSagas(
        Instant asOf,
        boolean more,
        SagaCounts open,
        Optional<Instant> oldestOpen,
        List<StuckSaga> sagas,
        List<Group> groups,
        InFlight inFlight) {
    /** The states of {@link #open}. */
    public static final Set<State> OPEN = Set.of(State.ACTIVE, State.CONFIRMING, State.COMPENSATING, State.SUSPENDED);

    private static final Comparator<StuckSaga> OLDEST_FIRST = Comparator.comparing(
                    (StuckSaga saga) -> saga.stuck().since())
            .thenComparing(saga -> saga.id().value());

    /** What those of a group have in common. */
    public record Kind(Stuck.Reason reason, String detail, String service, Optional<String> callback) {
        /** What the saga has in common with others. */
        public static Kind of(StuckSaga saga) {
            Stuck stuck = saga.stuck();
            return new Kind(stuck.reason(), stuck.detail(), stuck.service(), stuck.callback());
        }
    }

    /**
     * Those that are stuck for the same reason.
     *
     * @param oldest since when the first of them has been stuck
     */
    public record Group(Kind kind, int count, Instant oldest) {}

    /**
     * Sagas that are decided and not over, and not stuck yet.
     *
     * @param waiting those that have waited for less than {@link Stuck#WAITING} for a service of which no instance is
     *     connected, by service
     * @param unread how many were changing, and are read at the next look
     * @param decided all that are decided and not over, the stuck ones among them
     * @param awaited for which service each of those waits that do
     */
    public record InFlight(List<Group> waiting, int unread, Set<SagaId> decided, Map<SagaId, String> awaited) {
        /** Where nothing is decided that is not over. */
        public static final InFlight NONE = new InFlight(List.of(), 0, Set.of(), Map.of());

        static InFlight of(List<StuckSaga> waiting, int unread, Set<SagaId> decided) {
            List<StuckSaga> sagas = waiting.stream().sorted(OLDEST_FIRST).toList();
            return new InFlight(
                    groups(
                            sagas,
                            saga -> new Kind(
                                    Stuck.Reason.NO_PARTICIPANT,
                                    "",
                                    saga.stuck().service(),
                                    Optional.empty())),
                    unread,
                    decided,
                    sagas.stream()
                            .collect(Collectors.toMap(
                                    StuckSaga::id, saga -> saga.stuck().service())));
        }
    }

    static StuckSagas of(
            Instant asOf,
            boolean more,
            SagaCounts open,
            Optional<Instant> oldestOpen,
            List<StuckSaga> found,
            InFlight inFlight) {
        List<StuckSaga> sagas = found.stream().sorted(OLDEST_FIRST).toList();
        return new StuckSagas(asOf, more, open, oldestOpen, sagas, groups(sagas, Kind::of), inFlight);
    }

    private static List<Group> groups(List<StuckSaga> oldestFirst, Function<StuckSaga, Kind> kind) {
        Map<Kind, Group> groups = new LinkedHashMap<>();
        for (StuckSaga saga : oldestFirst) {
            Group one = new Group(kind.apply(saga), 1, saga.stuck().since());
            groups.merge(one.kind(), one, (all, another) -> new Group(all.kind(), all.count() + 1, all.oldest()));
        }
        return List.copyOf(groups.values());
    }
}
