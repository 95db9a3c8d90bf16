package io.alphaomega.repository.elasticsearch;

import io.alphaomega.saga.SagaId;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The journals of open sagas that this repository has written last, so that the next append can put a whole document in
 * place of the one there, where the node would otherwise have to read that, take it apart and merge it. It may forget any
 * of them, and none is used unless it is the one that the next append builds on.
 */
final class WrittenJournals {
    /** Some thousands of sagas under way. */
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    /** Above that to send it all costs more than the node's merge of it. */
    private static final int JOURNAL_BYTES_MAX = 16 * 1024;

    /** What an entry takes beside its text, about. */
    private static final int ENTRY_BYTES = 256;

    private record Entry(WriteStamp stamp, String events) {
        int bytes() {
            return events.length() + ENTRY_BYTES;
        }
    }

    private final ReentrantLock lock = new ReentrantLock();

    /** Guarded by the lock; in the order of their last use. */
    private final Map<SagaId, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);

    private int bytes;

    /** The members of the object of events, as that write left them. */
    Optional<String> events(SagaId id, WriteStamp stamp) {
        lock.lock();
        try {
            Entry entry = entries.get(id);
            return entry == null || !entry.stamp().equals(stamp) ? Optional.empty() : Optional.of(entry.events());
        } finally {
            lock.unlock();
        }
    }

    void put(SagaId id, WriteStamp stamp, String events) {
        lock.lock();
        try {
            forget(id);
            if (events.length() > JOURNAL_BYTES_MAX) return;
            Entry entry = new Entry(stamp, events);
            entries.put(id, entry);
            bytes += entry.bytes();
            Iterator<Entry> oldest = entries.values().iterator();
            while (bytes > BYTES_MAX) {
                bytes -= oldest.next().bytes();
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(SagaId id) {
        lock.lock();
        try {
            forget(id);
        } finally {
            lock.unlock();
        }
    }

    private void forget(SagaId id) {
        Entry entry = entries.remove(id);
        if (entry != null) bytes -= entry.bytes();
    }
}
