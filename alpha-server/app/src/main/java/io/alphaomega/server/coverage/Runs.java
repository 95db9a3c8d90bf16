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
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What the journals that were looked at say of callbacks. */
final class Runs {
    private record Name(String service, String callback) {}

    private static final class Count {
        boolean offered;
        int runs;
        Optional<Instant> last = Optional.empty();
    }

    private final Map<Name, Count> byName = new HashMap<>();

    void offered(String service, String callback) {
        count(new Name(service, callback)).offered = true;
    }

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
        offer.ifPresent(of -> {
            Count count = count(new Name(branch.service(), of.name()));
            count.runs++;
            count.last =
                    count.last.filter(before -> before.isAfter(succeeded.at())).or(() -> Optional.of(succeeded.at()));
        });
    }

    boolean isAnyMissing() {
        return byName.values().stream().anyMatch(count -> count.runs == 0);
    }

    List<Covered> callbacks() {
        return byName.entrySet().stream()
                .map(each -> new Covered(
                        each.getKey().service(),
                        each.getKey().callback(),
                        each.getValue().offered,
                        each.getValue().runs,
                        each.getValue().last))
                .sorted(Comparator.comparing(Covered::hasRun)
                        .thenComparing(Covered::service)
                        .thenComparing(Covered::name))
                .toList();
    }

    private Count count(Name name) {
        return byName.computeIfAbsent(name, unknown -> new Count());
    }
}
