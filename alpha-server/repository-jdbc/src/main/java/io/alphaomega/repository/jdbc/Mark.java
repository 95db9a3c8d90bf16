package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a saga is found by if it has it, in a table of its own, so that the others cost nothing: an attribute, with the
 * time of the saga's begin, and the last order, with its own.
 *
 * @param mark {@link #ORDER}, or what stands for an attribute. It is stored, so it stays what it is.
 */
record Mark(long mark, long millis) {
    static final long ORDER = 0;

    static final String DELETE = "DELETE FROM saga_marks WHERE mark = ? AND millis = ? AND saga = ?";

    /** Whether both have the same ones, as nearly always: then nobody needs to know which. */
    static boolean sameOf(SagaSummary one, SagaSummary other) {
        return one.attributes().equals(other.attributes())
                && one.orderedAt().equals(other.orderedAt())
                && one.begunAt().equals(other.begunAt());
    }

    static Set<Mark> of(SagaSummary saga) {
        return of(saga.attributes(), saga.begunAt(), saga.orderedAt());
    }

    static Set<Mark> of(Map<String, String> attributes, Instant begunAt, Optional<Instant> orderedAt) {
        if (attributes.isEmpty() && orderedAt.isEmpty()) return Set.of();
        Set<Mark> marks = new HashSet<>();
        attributes.forEach(
                (name, value) -> marks.add(new Mark(of(new Attribute(name, value)), begunAt.toEpochMilli())));
        orderedAt.ifPresent(at -> marks.add(new Mark(ORDER, at.toEpochMilli())));
        return marks;
    }

    /** Hardly any two have the same one; who looks for one looks at the saga as well. */
    static long of(Attribute attribute) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(attribute.text().getBytes(StandardCharsets.UTF_8));
            long mark = ByteBuffer.wrap(digest).getLong();
            return mark == ORDER ? ORDER + 1 : mark;
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Those of {@code some} that are not among the others. */
    static Set<Mark> without(Set<Mark> some, Set<Mark> others) {
        if (others.isEmpty()) return some;
        Set<Mark> rest = new HashSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    @Nullable
    Object[] row(Object saga) {
        return new @Nullable Object[] {mark, millis, saga};
    }

    /** Of the statement {@link #DELETE}, or one that inserts. */
    void addTo(PreparedStatement batch, Object saga) throws SQLException {
        batch.setLong(1, mark);
        batch.setLong(2, millis);
        batch.setObject(3, saga);
        batch.addBatch();
    }
}
