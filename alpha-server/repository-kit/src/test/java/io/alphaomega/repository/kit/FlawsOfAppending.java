package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.AppendResult.Locked;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;

/** Repositories that store wrongly, each in one way. */
final class FlawsOfAppending {
    private FlawsOfAppending() {}

    static final class IgnoresTheExpectedVersion extends Broken {
        IgnoresTheExpectedVersion(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            return super.append(expecting(item, version(item.id())));
        }
    }

    /** Two that check at the same time both act. */
    static final class ChecksThenActs extends Broken {
        ChecksThenActs(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            Version actual = version(item.id());
            if (!actual.equals(item.expected())) return new Conflict(actual);
            // Begins come by the thousand, and a busy machine needs longer to let another one check.
            LockSupport.parkNanos(item.expected().equals(Version.NONE) ? 1_000 : 2_000_000);
            AppendResult result = new Conflict(actual);
            while (result instanceof Conflict) result = super.append(expecting(item, version(item.id())));
            return result;
        }
    }

    static final class IgnoresTheToken extends Broken {
        IgnoresTheToken(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            Version actual = version(item.id());
            return super.append(item.expected().sequence() == actual.sequence() ? expecting(item, actual) : item);
        }
    }

    static final class IgnoresTheSequence extends Broken {
        IgnoresTheSequence(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            Version actual = version(item.id());
            return super.append(item.expected().token().equals(actual.token()) ? expecting(item, actual) : item);
        }
    }

    static final class AcceptsAnotherBegin extends Broken {
        AcceptsAnotherBegin(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            return super.append(item.expected().equals(Version.NONE) ? expecting(item, version(item.id())) : item);
        }
    }

    static final class LosesTheSecondItemOfABatch extends Broken {
        LosesTheSecondItemOfABatch(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            if (batch.size() < 2) return super.append(batch);
            List<Append> kept = new ArrayList<>(batch);
            Append lost = kept.remove(1);
            List<AppendResult> results = new ArrayList<>(super.append(kept));
            results.add(1, new Appended(new Version(lost.events().size(), "lost")));
            return results;
        }
    }

    /** Somebody else is writing to the saga, it says, and is not. */
    static final class CallsEverySagaLocked extends Broken {
        CallsEverySagaLocked(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            return item.expected().equals(Version.NONE) ? super.append(item) : new Locked();
        }
    }

    /** Says that a saga is locked once it has stored; every other time, as whoever sends the same again must meet it. */
    static final class StoresWhatItCallsLocked extends Broken {
        private final Set<SagaId> met = ConcurrentHashMap.newKeySet();
        private final AtomicInteger again = new AtomicInteger();

        StoresWhatItCallsLocked(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = super.append(item);
            boolean met = !this.met.add(item.id());
            return result instanceof Appended && met && again.getAndIncrement() % 2 == 0 ? new Locked() : result;
        }
    }

    static final class AppliesPartOfALosingItem extends Broken {
        AppliesPartOfALosingItem(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = super.append(item);
            if (result instanceof Conflict(Version actual) && item.events().size() > 1) {
                super.append(with(expecting(item, actual), item.events().subList(0, 1)));
            }
            return result;
        }
    }

    static final class AppliesTheSummaryOfALosingItem extends Broken {
        private final Map<SagaId, SagaSummary> last = new ConcurrentHashMap<>();

        AppliesTheSummaryOfALosingItem(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            last.put(item.id(), item.summary());
            return super.append(item);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            var page = super.find(query, cursor, limit);
            return new Page<>(
                    page.items().stream()
                            .map(saga -> last.getOrDefault(saga.id(), saga))
                            .toList(),
                    page.next());
        }
    }

    /** Its readers see half an item. */
    static final class StoresEventByEvent extends Broken {
        StoresEventByEvent(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = new Conflict(item.expected());
            Version expected = item.expected();
            for (StoredEvent event : item.events()) {
                result = super.append(with(expecting(item, expected), List.of(event)));
                if (!(result instanceof Appended(Version version))) return result;
                expected = version;
                LockSupport.parkNanos(1_000);
            }
            return result;
        }
    }

    static final class FailsTheWholeBatchForOneItem extends Broken {
        FailsTheWholeBatchForOneItem(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            boolean clean = batch.stream().allMatch(item -> item.expected().equals(version(item.id())));
            if (clean) return super.append(batch);
            return batch.stream()
                    .<AppendResult>map(item -> new Conflict(version(item.id())))
                    .toList();
        }
    }

    static final class AnswersOutOfOrder extends Broken {
        AnswersOutOfOrder(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            return super.append(batch).reversed();
        }
    }

    static final class AppliesTheItemsOfABatchBackwards extends Broken {
        AppliesTheItemsOfABatchBackwards(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            return super.append(batch.reversed()).reversed();
        }
    }

    static final class ForgetsWhereTheSagaIsInAConflict extends Broken {
        ForgetsWhereTheSagaIsInAConflict(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = super.append(item);
            return result instanceof Conflict ? new Conflict(item.expected()) : result;
        }
    }

    /** The token is the length: a store that lost writes and regrew would match. */
    static final class MakesTokensOfLengths extends Broken {
        MakesTokensOfLengths(SagaRepository sound) {
            super(sound);
        }

        private static Version plain(Version version) {
            return version.sequence() == 0 ? version : new Version(version.sequence(), "v" + version.sequence());
        }

        @Override
        AppendResult append(Append item) {
            Version actual = version(item.id());
            if (!item.expected().equals(plain(actual))) return new Conflict(plain(actual));
            return switch (super.append(expecting(item, actual))) {
                case Appended(Version version) -> new Appended(plain(version));
                case Conflict(Version version) -> new Conflict(plain(version));
                case Locked locked -> locked;
            };
        }

        @Override
        public Loaded load(SagaId id) {
            Loaded loaded = super.load(id);
            return new Loaded(loaded.events(), plain(loaded.version()));
        }
    }

    static final class LoadsWithoutTheLastAppend extends Broken {
        private final Map<SagaId, Loaded> before = new ConcurrentHashMap<>();

        LoadsWithoutTheLastAppend(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            before.put(item.id(), super.load(item.id()));
            return super.append(item);
        }

        @Override
        public Loaded load(SagaId id) {
            return before.getOrDefault(id, Loaded.NOTHING);
        }
    }

    static final class LoadsOnlySoManyEvents extends Broken {
        LoadsOnlySoManyEvents(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Loaded load(SagaId id) {
            Loaded loaded = super.load(id);
            return new Loaded(loaded.events().stream().limit(1_000).toList(), loaded.version());
        }
    }

    /** A flaw in what becomes of each event. */
    static final class ChangesEvents extends Broken {
        private final UnaryOperator<StoredEvent> change;

        private ChangesEvents(SagaRepository sound, UnaryOperator<StoredEvent> change) {
            super(sound);
            this.change = change;
        }

        @Override
        AppendResult append(Append item) {
            return super.append(with(item, item.events().stream().map(change).toList()));
        }

        static Broken cutsLongOnes(SagaRepository sound) {
            return new ChangesEvents(
                    sound,
                    event -> new StoredEvent(
                            event.type(),
                            Arrays.copyOf(event.bytes(), Math.min(event.bytes().length, 0xFFFF)),
                            event.crc32c()));
        }

        static Broken takesBytesForText(SagaRepository sound) {
            return new ChangesEvents(
                    sound,
                    event -> new StoredEvent(
                            event.type(),
                            new String(event.bytes(), StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8),
                            event.crc32c()));
        }

        static Broken mendsChecksums(SagaRepository sound) {
            return new ChangesEvents(sound, event -> StoredEvent.of(event.type(), event.bytes()));
        }
    }

    static final class StoresEqualEventsOnce extends Broken {
        StoresEqualEventsOnce(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Loaded load(SagaId id) {
            Loaded loaded = super.load(id);
            return new Loaded(loaded.events().stream().distinct().toList(), loaded.version());
        }
    }

    /** As a column whose collation ignores case. */
    static final class MixesSagasThatDifferInCase extends Broken {
        MixesSagasThatDifferInCase(SagaRepository sound) {
            super(sound);
        }

        private static SagaId folded(SagaId id) {
            return new SagaId(id.value().toLowerCase(Locale.ROOT));
        }

        @Override
        AppendResult append(Append item) {
            Draft saga = Draft.of(
                    folded(item.id()), item.summary().service(), item.summary().begunAt());
            return super.append(with(item, saga.summary()));
        }

        @Override
        public Loaded load(SagaId id) {
            return super.load(folded(id));
        }
    }

    static final class RefusesLargeBatches extends Broken {
        private final AtomicInteger refused = new AtomicInteger();

        RefusesLargeBatches(SagaRepository sound) {
            super(sound);
        }

        @Override
        public List<AppendResult> append(List<Append> batch) {
            if (batch.size() <= 512) return super.append(batch);
            throw new IllegalStateException("too many, for the %d. time".formatted(refused.incrementAndGet()));
        }
    }
}
