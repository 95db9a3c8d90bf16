package io.alphaomega.server.bulk;

import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Operator;
import java.time.Instant;

/**
 * One order for many sagas.
 *
 * @param id by which it is asked for and cancelled
 * @param at when it was given
 * @param perSecond for how many sagas it is carried out in a second, 1 to {@value #PER_SECOND_MAX}
 */
public record BulkOrder(String id, Operator operator, BulkTask task, Instant at, int perSecond, boolean cancelled) {
    /** Each is a few appends and a callback: a service that has just come back should not be knocked over. */
    public static final int PER_SECOND_MAX = 1_000;

    public static final int PER_SECOND_DEFAULT = 50;

    public BulkOrder {
        if (perSecond < 1 || perSecond > PER_SECOND_MAX) {
            throw new IllegalArgumentException(
                    "perSecond must be 1 to %d but was %d".formatted(PER_SECOND_MAX, perSecond));
        }
    }

    /** What is journaled with each saga: whoever reads it finds the order, and so does whoever goes on with it. */
    Operator signed() {
        String id = " (bulk " + this.id + ")";
        // An abort is journaled as one text, "who: why", which may be no longer than a reason.
        int room = Limits.REASON_CHARS - operator.who().length() - 2 - id.length();
        return new Operator(operator.who(), shortened(operator.why(), room) + id);
    }

    private static String shortened(String text, int chars) {
        if (text.length() <= chars) return text;
        int end = Character.isHighSurrogate(text.charAt(chars - 2)) ? chars - 2 : chars - 1;
        return text.substring(0, end) + "…";
    }

    /** The same, with another task. */
    public BulkOrder of(BulkTask other) {
        return new BulkOrder(id, operator, other, at, perSecond, cancelled);
    }

    /** Whether it is what the first version knew: to retry what is stuck when it is given, for a reason and a service. */
    public boolean isPlainRetry() {
        return task instanceof BulkTask.Retry(BulkTask.Chosen chosen)
                && chosen.detail().isEmpty()
                && chosen.before().equals(at);
    }

    /** The same, to be carried out no further. */
    public BulkOrder cancel() {
        return new BulkOrder(id, operator, task, at, perSecond, true);
    }
}
