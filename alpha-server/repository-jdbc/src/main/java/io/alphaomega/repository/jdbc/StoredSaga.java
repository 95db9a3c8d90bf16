package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What is stored of a saga at a version.
 *
 * @param number by which the embedded store knows it; 0 elsewhere
 * @param services as the embedded store has them
 * @param dueAt where it is in the due-time index
 */
public record StoredSaga(
        long number,
        Version version,
        SagaSummary summary,
        String services,
        @Nullable Long dueAt) {
    /** So much earlier than it wants a saga may be in the due-time index; longer than a deadline of a step usually is. */
    private static final long EARLY_MILLIS_MAX = 600_000;

    /** Where a saga comes to stand in the due-time index that was {@code before}. Not each change moves it. */
    public static @Nullable Long dueAt(@Nullable Long before, @Nullable Long wakeUpAt) {
        boolean stays =
                before != null && wakeUpAt != null && before <= wakeUpAt && wakeUpAt - before <= EARLY_MILLIS_MAX;
        return stays ? before : wakeUpAt;
    }

    /** Of a server's saga, after an append. */
    public static StoredSaga after(@Nullable StoredSaga before, SagaSummary summary, Version version) {
        Long dueAt = dueAt(before == null ? null : before.dueAt(), SagaColumns.millis(summary.wakeUpAt()));
        return new StoredSaga(0, version, summary, "", dueAt);
    }

    /**
     * Those that this process has written last, so that nothing has to be read to write the next append. What it says
     * of a version is true as long as that is the saga's version; whoever relies on it has the store look at that.
     */
    public static final class Remembered {
        /** More than run at a time on one node; some 20 MB. For others one more statement finds out. */
        private static final int MAX = 20_000;

        private final Map<String, StoredSaga> sagas = new LinkedHashMap<>(16, 0.75f, true);

        /** Null if it is not known, or at another version. */
        public synchronized @Nullable StoredSaga of(String saga, Version version) {
            StoredSaga known = sagas.get(saga);
            return known != null && known.version().equals(version) ? known : null;
        }

        /** One that has ended is not written any more. */
        public synchronized void put(StoredSaga saga) {
            String id = saga.summary().id().value();
            if (saga.summary().state().isEnded()) {
                sagas.remove(id);
                return;
            }
            sagas.put(id, saga);
            if (sagas.size() > MAX) {
                var eldest = sagas.keySet().iterator();
                eldest.next();
                eldest.remove();
            }
        }
    }
}
