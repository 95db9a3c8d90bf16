package io.alphaomega.repository.redis;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Attribute;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * How an append is stored: as a record, and before it, if it has changed, a header with what seldom does.
 * The beginning of {@code layout.lua} tells where what is; the scripts look at nothing else. Reading throws
 * {@link RuntimeException}s if the bytes are not what was written.
 */
final class SagaRecord {
    private static final char JOURNAL = 'J';
    private static final char TOMBSTONE = 'T';
    private static final char HEADER = 'H';

    static final byte[] NO_VERSION = {};

    /** Of a version that this plugin has not given to anybody: no record begins with it. */
    private static final byte[] FOREIGN_VERSION = {'?'};

    private static final int VERSION_BYTES = 19;
    private static final int STATE_AT = 19;
    private static final int BEGIN_AT = 27;
    private static final int WAKE_UP_AT = 49;
    private static final int SUMMARY_LENGTH_AT = 56;

    /**
     * Most sagas are over sooner. So long their wake-up time is not needed, and the index has no entry for it: the saga is
     * young, and the time of its begin tells when it is no longer. {@code due.lua} knows the same time. And a saga that is
     * over so soon can be purged by the time of its begin.
     */
    private static final Duration YOUNG = Duration.ofSeconds(30);

    private static final int MANUAL = 1;
    private static final int ENDED = 2;
    private static final int KEYED = 4;
    private static final int ORDERED = 8;
    private static final int ATTRIBUTED = 16;

    private SagaRecord() {}

    // ---- versions

    /** What a record of this version begins with. */
    static byte[] version(Version version) {
        if (version.equals(Version.NONE)) return NO_VERSION;
        Optional<VersionToken> token = VersionToken.of(version);
        if (token.isEmpty() || version.sequence() > Integer.MAX_VALUE) return FOREIGN_VERSION;
        Bytes bytes = new Bytes(VERSION_BYTES).one(JOURNAL).four((int) version.sequence());
        return token.get().write(bytes).done();
    }

    /** None if the bytes do not begin as a record does. */
    static Version version(byte[] record) {
        if (record.length < VERSION_BYTES || (record[0] != JOURNAL && record[0] != TOMBSTONE)) return Version.NONE;
        return version(ByteBuffer.wrap(record, 1, VERSION_BYTES - 1));
    }

    private static Version version(ByteBuffer from) {
        return new Version(from.getInt(), VersionToken.read(from).text());
    }

    // ---- writing

    static void writeHeader(SagaSummary saga, Bytes to) {
        to.one(HEADER).two(saga.services().size());
        for (String service : saga.services()) to.text(service);
        to.text(saga.service()).text(saga.operation()).text(saga.businessKey()).text(saga.reason());
        if (saga.attributes().isEmpty()) return;
        SortedSet<String> attributes = Attribute.texts(saga.attributes());
        to.two(attributes.size());
        for (String attribute : attributes) to.text(attribute);
    }

    static void write(Append item, Version version, VersionToken token, Bytes to) {
        SagaSummary saga = item.summary();
        token.write(to.one(JOURNAL).four((int) version.sequence()));
        to.one(States.code(saga.state()));
        Times.add(to, end(saga));
        Times.add(to, saga.begunAt());
        writeIndexedWakeUp(saga, to);
        to.eight(saga.state().isEnded() ? ServiceMark.of(saga.services()) : 0);
        Times.add(to, saga.wakeUpAt());
        to.two(0);
        int summary = to.size();
        to.two(saga.branches()).one(flags(saga)).eight(saga.updatedAt().toEpochMilli());
        if (saga.endedAt().isPresent()) to.eight(saga.endedAt().get().toEpochMilli());
        writeMarks(saga, to);
        to.twoAt(SUMMARY_LENGTH_AT, to.size() - summary);
        to.two(item.events().size());
        for (StoredEvent event : item.events()) {
            to.text(event.type())
                    .four(event.crc32c())
                    .four(event.bytes().length)
                    .raw(event.bytes());
        }
    }

    private static void writeMarks(SagaSummary saga, Bytes to) {
        if (!saga.businessKey().isEmpty()) to.four(KeyMark.of(saga.businessKey()));
        if (saga.orderedAt().isPresent()) Times.add(to, saga.orderedAt());
        if (saga.attributes().isEmpty()) return;
        to.one(saga.attributes().size());
        saga.attributes().forEach((name, value) -> to.four(KeyMark.of(new Attribute(name, value))));
    }

    private static int flags(SagaSummary saga) {
        return (saga.manual() ? MANUAL : 0)
                | (saga.endedAt().isPresent() ? ENDED : 0)
                | (saga.businessKey().isEmpty() ? 0 : KEYED)
                | (saga.orderedAt().isPresent() ? ORDERED : 0)
                | (saga.attributes().isEmpty() ? 0 : ATTRIBUTED);
    }

    /** Empty if it has not ended. */
    private static Optional<Instant> end(SagaSummary saga) {
        return saga.state().isEnded() ? saga.endedAt().or(() -> Optional.of(saga.updatedAt())) : Optional.empty();
    }

    /** As it would be if nothing were in the index; the script knows what is. */
    private static void writeIndexedWakeUp(SagaSummary saga, Bytes to) {
        Optional<Instant> wakeUpAt = saga.wakeUpAt();
        if (isYoung(saga)) {
            Times.addBeforeAll(to);
        } else if (wakeUpAt.isEmpty()) {
            Times.add(to, wakeUpAt);
        } else {
            Times.add(to, earlier(wakeUpAt.get(), saga.updatedAt().plus(YOUNG)));
        }
    }

    /** Whether it need not be looked at sooner, or had ended by then. A clock that is behind may say, before its begin. */
    private static boolean isYoung(SagaSummary saga) {
        Instant until = saga.begunAt().plus(YOUNG);
        if (saga.wakeUpAt().isPresent()) {
            return saga.state() == State.ACTIVE && !saga.wakeUpAt().get().isBefore(until);
        }
        return end(saga)
                .filter(at -> !at.isBefore(saga.begunAt()) && at.isBefore(until))
                .isPresent();
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }

    // ---- reading

    static boolean isTombstone(byte[] record) {
        return record.length > 0 && record[0] == TOMBSTONE;
    }

    static Loaded tombstone(byte[] record) {
        State ended = States.of((char) record[STATE_AT]).orElse(State.SUSPENDED);
        return Loaded.tombstone(ended, version(record));
    }

    static boolean isHeader(byte[] element) {
        return element.length > 0 && element[0] == HEADER;
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
        if (from.get() != HEADER) throw new IllegalArgumentException("it is no header");
        int count = Short.toUnsignedInt(from.getShort());
        Set<String> services = new TreeSet<>();
        for (int i = 0; i < count; i++) services.add(Bytes.text(from));
        String service = Bytes.text(from);
        String operation = Bytes.text(from);
        String businessKey = Bytes.text(from);
        String reason = Bytes.text(from);
        // Of an earlier alpha it ends here, as that of a saga without attributes does.
        int attributes = from.hasRemaining() ? Short.toUnsignedInt(from.getShort()) : 0;
        List<String> texts = new ArrayList<>(attributes);
        for (int i = 0; i < attributes; i++) texts.add(Bytes.text(from));

        char code = (char) record[STATE_AT];
        Optional<State> state = States.of(code);
        from = ByteBuffer.wrap(record);
        from.position(SUMMARY_LENGTH_AT + 2);
        int branches = Short.toUnsignedInt(from.getShort());
        int flags = from.get();
        Instant updatedAt = Instant.ofEpochMilli(from.getLong());
        Optional<Instant> endedAt =
                (flags & ENDED) != 0 ? Optional.of(Instant.ofEpochMilli(from.getLong())) : Optional.empty();
        int orderedAt = from.position() + ((flags & KEYED) != 0 ? Integer.BYTES : 0);
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
                Times.time(record, WAKE_UP_AT),
                Attribute.map(texts),
                (flags & ORDERED) != 0 ? Times.time(record, orderedAt) : Optional.empty());
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
                Optional.empty(),
                Map.of(),
                Optional.empty());
    }
}
