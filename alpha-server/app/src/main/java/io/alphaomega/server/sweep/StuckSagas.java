package io.alphaomega.server.sweep;

import io.alphaomega.repository.SagaCounts;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Stuck;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sagas that are stuck, as of one look at all that are open.
 *
 * @param more whether there are others: no more than {@link StuckScan#KEPT_MAX} are kept
 * @param open how many sagas are in each state that is not the end
 * @param sagas those that have been stuck for longest first
 */
public record StuckSagas(Instant asOf, boolean more, SagaCounts open, List<StuckSaga> sagas) {
    /** The states of {@link #open}. */
    public static final Set<State> OPEN = Set.of(State.ACTIVE, State.CONFIRMING, State.COMPENSATING, State.SUSPENDED);

    private static final Comparator<StuckSaga> OLDEST_FIRST = Comparator.comparing(
                    (StuckSaga saga) -> saga.stuck().since())
            .thenComparing(saga -> saga.id().value());

    /** What those of a group have in common. */
    public record Kind(Stuck.Reason reason, String detail, String service, Optional<String> callback) {
        static Kind of(StuckSaga saga) {
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

    public StuckSagas {
        sagas = sagas.stream().sorted(OLDEST_FIRST).toList();
    }

    /** Those that have been stuck for longest first. */
    public List<Group> groups() {
        Map<Kind, Group> groups = new HashMap<>();
        for (StuckSaga saga : sagas) {
            Group one = new Group(Kind.of(saga), 1, saga.stuck().since());
            groups.merge(one.kind(), one, (all, another) -> new Group(all.kind(), all.count() + 1, all.oldest()));
        }
        List<Group> sorted = new ArrayList<>(groups.values());
        sorted.sort(Comparator.comparing(Group::oldest)
                .thenComparing(group -> group.kind().toString()));
        return sorted;
    }
}
