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
 * A row of the table {@code saga_marks}, by which a saga is found: one for each attribute, with the time of the saga's
 * begin, and one for its last order, with the time of that. A saga that has neither costs nothing.
 *
 * @param mark {@link #ORDER}, or what stands for an attribute. It is stored, so it stays what it is.
 */
public record SearchTag(long mark, long millis) {
    static final long ORDER = 0;

    public static final String DELETE = "DELETE FROM saga_marks WHERE mark = ? AND millis = ? AND saga = ?";

    /** Whether both have the same ones, as nearly always: then nobody needs to know which. */
    public static boolean sameOf(SagaSummary one, SagaSummary other) {
        return one.attributes().equals(other.attributes())
                && one.orderedAt().equals(other.orderedAt())
                && one.begunAt().equals(other.begunAt());
    }

    public static Set<SearchTag> of(SagaSummary saga) {
        return of(saga.attributes(), saga.begunAt(), saga.orderedAt());
    }

    public static Set<SearchTag> of(Map<String, String> attributes, Instant begunAt, Optional<Instant> orderedAt) {
        if (attributes.isEmpty() && orderedAt.isEmpty()) return Set.of();
        Set<SearchTag> tags = new HashSet<>();
        attributes.forEach(
                (name, value) -> tags.add(new SearchTag(of(new Attribute(name, value)), begunAt.toEpochMilli())));
        orderedAt.ifPresent(at -> tags.add(new SearchTag(ORDER, at.toEpochMilli())));
        return tags;
    }

    /** Hardly any two have the same one; who looks for one looks at the saga as well. */
    public static long of(Attribute attribute) {
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
    public static Set<SearchTag> without(Set<SearchTag> some, Set<SearchTag> others) {
        if (others.isEmpty()) return some;
        Set<SearchTag> rest = new HashSet<>(some);
        rest.removeAll(others);
        return rest;
    }

    @Nullable
    public Object[] row(Object saga) {
        return new @Nullable Object[] {mark, millis, saga};
    }

    /** Of the statement {@link #DELETE}, or one that inserts. */
    public void addTo(PreparedStatement batch, Object saga) throws SQLException {
        batch.setLong(1, mark);
        batch.setLong(2, millis);
        batch.setObject(3, saga);
        batch.addBatch();
    }
}
