package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * How an append is stored: as a record that is added, and a header of what seldom changes, which is replaced if it has.
 * The beginning of {@code layout.lua} tells where what is; the scripts look at nothing else. Reading throws
 * {@link RuntimeException}s if the bytes are not what was written.
 */
final class SagaRecord {
    private static final char JOURNAL = 'J';
    private static final char TOMBSTONE = 'T';

    static final byte[] NO_VERSION = {};

    /** Of a version that this plugin has not given to anybody: no record begins with it. */
    private static final byte[] FOREIGN_VERSION = {'?'};

    private static final Pattern TOKEN = Pattern.compile("[0-9a-f]{16}");

    private static final int KIND_AND_VERSION = 13;
    private static final int BEGIN_AT = 21;
    private static final int WAKE_UP_AT = 28;
    private static final int SUMMARY_LENGTH_AT = 50;

    /**
     * Most sagas are over sooner. So long their wake-up time is not needed, and the index says that it is then: one entry
     * that stays, instead of one for each time out.
     */
    private static final Duration WAKE_UP_EARLY = Duration.ofSeconds(30);

    private static final int MANUAL = 1;
    private static final int ENDED = 2;

    private SagaRecord() {}

    // ---- versions

    /** What a record of this version begins with. */
    static byte[] version(Version version) {
        if (version.equals(Version.NONE)) return NO_VERSION;
        if (version.sequence() > Integer.MAX_VALUE
                || !TOKEN.matcher(version.token()).matches()) {
            return FOREIGN_VERSION;
        }
        return new Bytes(KIND_AND_VERSION)
                .one(JOURNAL)
                .four((int) version.sequence())
                .raw(HexFormat.of().parseHex(version.token()))
                .done();
    }

    static Version version(byte[] record) {
        if (record.length < KIND_AND_VERSION) return Version.NONE;
        return version(ByteBuffer.wrap(record, 1, KIND_AND_VERSION - 1));
    }

    private static Version version(ByteBuffer from) {
        return new Version(from.getInt(), HexFormat.of().toHexDigits(from.getLong()));
    }

    // ---- writing

    static byte[] header(SagaSummary saga) {
        Bytes header = new Bytes(160).two(saga.services().size());
        // Sorted, so that equal sets are equal bytes.
        for (String service : saga.services().size() < 2 ? saga.services() : new TreeSet<>(saga.services())) {
            header.text(service);
        }
        return header.text(saga.service())
                .text(saga.operation())
                .text(saga.businessKey())
                .done();
    }

    static byte[] record(Append item, Version version, byte[] header) {
        SagaSummary saga = item.summary();
        int bytes = 64 + 3 * saga.reason().length();
        for (StoredEvent event : item.events()) bytes += 48 + event.bytes().length;
        Bytes record = new Bytes(bytes).raw(version(version)).one(States.code(saga.state()));
        Times.add(record, end(saga));
        Times.add(record, saga.begunAt());
        Times.add(record, saga.wakeUpAt());
        Times.add(record, saga.wakeUpAt().map(at -> earlier(at, saga.updatedAt().plus(WAKE_UP_EARLY))));
        record.eight(hash(header)).two(0);
        int summary = record.size();
        record.two(saga.branches())
                .one((saga.manual() ? MANUAL : 0) | (saga.endedAt().isPresent() ? ENDED : 0))
                .eight(saga.updatedAt().toEpochMilli());
        saga.endedAt().ifPresent(at -> record.eight(at.toEpochMilli()));
        record.text(saga.reason());
        record.twoAt(SUMMARY_LENGTH_AT, record.size() - summary);
        record.two(item.events().size());
        for (StoredEvent event : item.events()) {
            record.text(event.type())
                    .four(event.crc32c())
                    .four(event.bytes().length)
                    .raw(event.bytes());
        }
        return record.done();
    }

    /** Empty if it has not ended. */
    private static Optional<Instant> end(SagaSummary saga) {
        return saga.state().isEnded() ? saga.endedAt().or(() -> Optional.of(saga.updatedAt())) : Optional.empty();
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    /** FNV-1a: whether a header has changed is told by it alone. */
    private static long hash(byte[] bytes) {
        long hash = 0xcbf29ce484222325L;
        for (byte each : bytes) hash = (hash ^ (each & 0xFF)) * 0x100000001b3L;
        return hash;
    }

    // ---- reading

    static boolean isTombstone(byte[] record) {
        return record.length > 0 && record[0] == TOMBSTONE;
    }

    static Loaded tombstone(byte[] record) {
        State ended = States.of((char) record[KIND_AND_VERSION]).orElse(State.SUSPENDED);
        return Loaded.tombstone(ended, version(record));
    }

    /** The events of one append and the version that it made. */
    record Part(Version version, List<StoredEvent> events) {}

    static Part part(byte[] record) {
        ByteBuffer from = ByteBuffer.wrap(record);
        if (from.get() != JOURNAL) throw new IllegalArgumentException("it is no record");
        Version version = version(from);
        from.position(SUMMARY_LENGTH_AT);
        from.position(SUMMARY_LENGTH_AT + 2 + Short.toUnsignedInt(from.getShort()));
        int count = Short.toUnsignedInt(from.getShort());
        List<StoredEvent> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String type = Bytes.text(from);
            int crc = from.getInt();
            byte[] bytes = new byte[from.getInt()];
            from.get(bytes);
            events.add(new StoredEvent(type, bytes, crc));
        }
        if (from.hasRemaining()) throw new IllegalArgumentException(from.remaining() + " bytes are left over");
        return new Part(version, events);
    }

    /** The summary of a header and a record, of which the events may be missing. */
    static SagaSummary summary(SagaId id, byte[] header, byte[] record) {
        ByteBuffer from = ByteBuffer.wrap(header);
        int count = Short.toUnsignedInt(from.getShort());
        Set<String> services = new TreeSet<>();
        for (int i = 0; i < count; i++) services.add(Bytes.text(from));
        String service = Bytes.text(from);
        String operation = Bytes.text(from);
        String businessKey = Bytes.text(from);

        char code = (char) record[KIND_AND_VERSION];
        Optional<State> state = States.of(code);
        from = ByteBuffer.wrap(record);
        from.position(SUMMARY_LENGTH_AT + 2);
        int branches = Short.toUnsignedInt(from.getShort());
        int flags = from.get();
        Instant updatedAt = Instant.ofEpochMilli(from.getLong());
        Optional<Instant> endedAt =
                (flags & ENDED) != 0 ? Optional.of(Instant.ofEpochMilli(from.getLong())) : Optional.empty();
        String reason = Bytes.text(from);
        return new SagaSummary(
                id,
                state.orElse(State.SUSPENDED),
                service,
                operation,
                businessKey,
                services,
                branches,
                state.isPresent() ? reason : "JOURNAL_UNREADABLE: this version knows no state '" + code + "'",
                (flags & MANUAL) != 0,
                Instant.ofEpochMilli(Times.millis(record, BEGIN_AT)),
                updatedAt,
                endedAt,
                Times.time(record, WAKE_UP_AT));
    }

    /** What is shown of a saga whose header or record cannot be read. */
    static SagaSummary unreadable(SagaId id, Instant begunAt) {
        return new SagaSummary(
                id,
                State.SUSPENDED,
                "",
                "",
                "",
                Set.of(),
                0,
                "JOURNAL_UNREADABLE: what is stored of it is damaged",
                false,
                begunAt,
                begunAt,
                Optional.empty(),
                Optional.empty());
    }
}
