package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Repositories that delete wrongly, each in one way. */
final class FlawsOfPurging {
    private FlawsOfPurging() {}

    /** A base for those that purge wrongly: what they purged too much is only hidden. */
    static class Purges extends Broken {
        private final Map<SagaId, SagaSummary> stored = new ConcurrentHashMap<>();
        private final Set<SagaId> purged = ConcurrentHashMap.newKeySet();

        Purges(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            AppendResult result = super.append(item);
            if (result instanceof AppendResult.Appended) {
                stored.put(item.id(), item.summary());
                purged.remove(item.id());
            }
            return result;
        }

        final int purge(Stream<SagaSummary> sagas) {
            List<SagaId> ids = new ArrayList<>();
            sagas.forEach(saga -> ids.add(saga.id()));
            ids.forEach(stored::remove);
            purged.addAll(ids);
            return ids.size();
        }

        final Stream<SagaSummary> endedBefore(Instant time) {
            return List.copyOf(stored.values()).stream()
                    .filter(saga ->
                            saga.endedAt().filter(at -> at.isBefore(time)).isPresent());
        }

        @Override
        public Loaded load(SagaId id) {
            return purged.contains(id) ? Loaded.NOTHING : super.load(id);
        }

        @Override
        public Page<SagaSummary> find(SagaQuery query, Cursor cursor, int limit) {
            Page<SagaSummary> page = super.find(query, cursor, limit);
            return new Page<>(
                    page.items().stream()
                            .filter(saga -> !purged.contains(saga.id()))
                            .toList(),
                    page.next());
        }
    }

    static final class PurgesWhatHasNotEnded extends Purges {
        PurgesWhatHasNotEnded(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int purge(Instant endedBefore, int limit) {
            return super.purge(endedBefore, limit)
                    + purge(endedBefore(endedBefore).limit(limit));
        }
    }

    static final class PurgesByTheBegin extends Purges {
        PurgesByTheBegin(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int purge(Instant endedBefore, int limit) {
            int ended = super.purge(endedBefore, limit);
            return ended
                    + purge(endedBefore(Instant.MAX)
                            .filter(saga ->
                                    saga.state().isEnded() && saga.begunAt().isBefore(endedBefore))
                            .limit(limit - ended));
        }
    }

    static final class PurgesTheYoungestFirst extends Purges {
        PurgesTheYoungestFirst(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int purge(Instant endedBefore, int limit) {
            if (limit < 1) throw new IllegalArgumentException();
            return purge(endedBefore(endedBefore)
                    .filter(saga -> saga.state().isEnded())
                    .sorted(Comparator.<SagaSummary, Instant>comparing(
                                    saga -> saga.endedAt().orElseThrow())
                            .reversed())
                    .limit(limit));
        }
    }

    static final class PurgesBeyondTheLimit extends Broken {
        PurgesBeyondTheLimit(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int purge(Instant endedBefore, int limit) {
            return super.purge(endedBefore, limit < 1 ? limit : PAGE_MAX);
        }
    }

    static final class LeavesNoTombstone extends Broken {
        LeavesNoTombstone(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int purge(Instant endedBefore, int limit) {
            int purged = super.purge(endedBefore, limit);
            super.forget(endedBefore, PAGE_MAX);
            return purged;
        }
    }

    static final class ForgetsWhereTheJournalStood extends Broken {
        ForgetsWhereTheJournalStood(SagaRepository sound) {
            super(sound);
        }

        @Override
        public Loaded load(SagaId id) {
            Loaded loaded = super.load(id);
            return loaded.tombstone()
                    .map(ended -> Loaded.tombstone(
                            ended, new Version(1, loaded.version().token())))
                    .orElse(loaded);
        }
    }

    static final class BeginsAPurgedSagaAnew extends Broken {
        BeginsAPurgedSagaAnew(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            boolean again = item.expected().equals(Version.NONE)
                    && super.load(item.id()).tombstone().isPresent();
            if (again) super.forget(Instant.MAX, PAGE_MAX);
            return super.append(item);
        }
    }

    static final class AppendsToATombstone extends Broken {
        AppendsToATombstone(SagaRepository sound) {
            super(sound);
        }

        @Override
        AppendResult append(Append item) {
            Loaded loaded = super.load(item.id());
            if (loaded.tombstone().isEmpty() || !loaded.version().equals(item.expected())) return super.append(item);
            super.forget(Instant.MAX, PAGE_MAX);
            return super.append(new Append(item.id(), Version.NONE, item.events(), item.summary()));
        }
    }

    static final class ForgetsWhatIsNotPurged extends Broken {
        ForgetsWhatIsNotPurged(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int forget(Instant endedBefore, int limit) {
            super.purge(endedBefore, limit);
            return super.forget(endedBefore, limit);
        }
    }

    static final class NeverForgets extends Broken {
        NeverForgets(SagaRepository sound) {
            super(sound);
        }

        @Override
        public int forget(Instant endedBefore, int limit) {
            if (limit < 1) throw new IllegalArgumentException();
            return 0;
        }
    }
}
