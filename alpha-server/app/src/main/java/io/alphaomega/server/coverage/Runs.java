package io.alphaomega.server.coverage;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.coverage.Coverage.Covered;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the journals that were looked at say of callbacks. Filled by one thread, then only read. */
final class Runs {
    private record Name(String service, String callback) {}

    private record Count(int runs, Optional<Instant> last) {
        static final Count NONE = new Count(0, Optional.empty());

        Count and(Instant at) {
            return new Count(runs + 1, last.filter(before -> before.isAfter(at)).or(() -> Optional.of(at)));
        }
    }

    private final Map<Name, Count> byName = new HashMap<>();

    /** Up to the first event that cannot be read. */
    void read(List<StoredEvent> journal) {
        Map<BranchId, SagaEvent.BranchBegan> branches = new HashMap<>();
        try {
            for (StoredEvent stored : journal) {
                SagaEvent event = JournalCodec.decode(stored);
                if (event instanceof SagaEvent.BranchBegan began) branches.put(began.branch(), began);
                if (event instanceof SagaEvent.CallbackSucceeded succeeded) {
                    Optional.ofNullable(branches.get(succeeded.branch())).ifPresent(began -> ran(began, succeeded));
                }
            }
        } catch (JournalUnreadableException e) {
            // The page of stuck sagas has it.
        }
    }

    private void ran(SagaEvent.BranchBegan branch, SagaEvent.CallbackSucceeded succeeded) {
        var offer = succeeded.kind() == CallbackKind.COMPENSATION ? branch.compensation() : branch.confirmation();
        offer.ifPresent(of -> byName.merge(
                new Name(branch.service(), of.name()),
                Count.NONE.and(succeeded.at()),
                (before, one) -> before.and(succeeded.at())));
    }

    boolean haveAll(Map<String, Set<String>> offers) {
        return byName.keySet().containsAll(names(offers));
    }

    /** Those that are offered, and those that ran; the ones that did not first. */
    List<Covered> callbacks(Map<String, Set<String>> offers) {
        Set<Name> offered = names(offers);
        Set<Name> all = new HashSet<>(offered);
        all.addAll(byName.keySet());
        return all.stream()
                .map(name -> {
                    Count count = byName.getOrDefault(name, Count.NONE);
                    return new Covered(
                            name.service(), name.callback(), offered.contains(name), count.runs(), count.last());
                })
                .sorted(Comparator.comparing(Covered::hasRun)
                        .thenComparing(Covered::service)
                        .thenComparing(Covered::name))
                .toList();
    }

    private static Set<Name> names(Map<String, Set<String>> offers) {
        Set<Name> names = new HashSet<>();
        offers.forEach((service, callbacks) -> callbacks.forEach(callback -> names.add(new Name(service, callback))));
        return names;
    }
}
