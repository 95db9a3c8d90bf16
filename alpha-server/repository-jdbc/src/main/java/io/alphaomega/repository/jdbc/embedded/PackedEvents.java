package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.jdbc.JournalRows;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The events of one append in one value, one after the other: the length of the type in two bytes, the checksum in four,
 * the length of the bytes in four, the type in UTF-8, the bytes. Numbers have the highest byte first.
 */
final class PackedEvents {
    private static final int HEAD_BYTES = Short.BYTES + 2 * Integer.BYTES;
    private static final int TYPE_BYTES_MAX = 0xFFFF;

    private PackedEvents() {}

    static byte[] pack(List<StoredEvent> events) {
        if (events.size() == 1) return pack(events.getFirst());
        List<byte[]> each = events.stream().map(PackedEvents::pack).toList();
        ByteBuffer all = ByteBuffer.allocate(
                each.stream().mapToInt(event -> event.length).sum());
        each.forEach(all::put);
        return all.array();
    }

    private static byte[] pack(StoredEvent event) {
        byte[] type = event.type().getBytes(StandardCharsets.UTF_8);
        if (type.length > TYPE_BYTES_MAX) {
            throw new IllegalArgumentException("the name of an event's type has %d bytes, at most %d are stored: %.40s…"
                    .formatted(type.length, TYPE_BYTES_MAX, event.type()));
        }
        return ByteBuffer.allocate(HEAD_BYTES + type.length + event.bytes().length)
                .putShort((short) type.length)
                .putInt(event.crc32c())
                .putInt(event.bytes().length)
                .put(type)
                .put(event.bytes())
                .array();
    }

    /** @throws CorruptJournalException if that is not what was packed */
    static List<StoredEvent> unpack(SagaId saga, byte[] packed) {
        List<StoredEvent> events = new ArrayList<>();
        ByteBuffer left = ByteBuffer.wrap(packed);
        try {
            while (left.hasRemaining()) {
                int typeLength = Short.toUnsignedInt(left.getShort());
                int crc32c = left.getInt();
                int length = left.getInt();
                if (length < 0 || length > left.remaining()) throw new BufferUnderflowException();
                String type = new String(bytes(left, typeLength), StandardCharsets.UTF_8);
                events.add(new StoredEvent(type, bytes(left, length), crc32c));
            }
        } catch (BufferUnderflowException e) {
            throw JournalRows.corrupt(saga, "what one append has stored ends in the middle of an event");
        }
        return events;
    }

    private static byte[] bytes(ByteBuffer from, int length) {
        byte[] bytes = new byte[length];
        from.get(bytes);
        return bytes;
    }
}
