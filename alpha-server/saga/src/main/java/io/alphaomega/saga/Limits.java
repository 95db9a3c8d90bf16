package io.alphaomega.saga;

import java.time.Duration;
import java.util.Map;

/** How much of everything a saga may have, each with its reason. */
public final class Limits {
    /** A UUID in text is 36 characters, a SHA-256 in hex 64; ids are keys in every store. */
    public static final int ID_CHARS = 64;

    /** A saga is one document in some stores; 500 branches ≈ 100 KiB without payloads, well under every store's limit. */
    public static final int BRANCHES = 500;

    /** Arguments or result of one branch. What is larger belongs into the participant's own database, by key. */
    public static final int PAYLOAD_BYTES = 64 * 1024;

    /** Payloads, names and errors of one saga together: one Redis script call, one Elasticsearch document. */
    public static final int SAGA_BYTES = 1024 * 1024;

    /** Service, instance, operation and callback names. */
    public static final int NAME_CHARS = 256;

    /** A reason is for people and is indexed by some stores; a stack trace belongs into the participant's log. */
    public static final int REASON_CHARS = 512;

    /** Attributes are for search, not for data. */
    public static final int ATTRIBUTES = 16;

    /** Who orders something and hears nothing sends it again within minutes; others order a few things meanwhile. */
    public static final int ORDERS = 16;

    /** Ten doubling attempts take minutes; a hundred at the cap take a working day. */
    public static final int ATTEMPTS = 100;

    /** Longer than any business transaction; a saga without a deadline would hold its branches open for ever. */
    public static final Duration TIMEOUT = Duration.ofDays(30);

    /** A callback that kills its participant loses its stream each time: this many losses are free, then they count. */
    public static final int LOSSES_FREE = 10;

    /** Builds of a service that run side by side: each that cannot run a callback costs two events, and then it counts. */
    public static final int BUILDS = 8;

    /** Longest pause at least, while a service is away. */
    static final Duration AWAY_DELAY = Duration.ofMinutes(5);

    /**
     * A service that has been away for hours is asked for after this part of them: two events each, some 80 of a branch in
     * the 24 hours of the default limit, where a pause that no longer grew would make 800.
     */
    static final int AWAY_SHARE = 4;

    /** Longest pause at least, while a service is busy: what waits gets its turn by its age, so it must be there to get it. */
    static final Duration BUSY_DELAY = Duration.ofSeconds(10);

    /** A service that has been busy for hours is asked after this part of them: some 300 events of a branch in 24 hours. */
    static final int BUSY_SHARE = 16;

    /** By character: every input names two ids, so they are looked at more often than anything else. */
    private static final boolean[] IN_IDS = new boolean[128];

    static {
        String letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:";
        for (int i = 0; i < letters.length(); i++) IN_IDS[letters.charAt(i)] = true;
    }

    private Limits() {}

    static void requireId(String what, String value) {
        boolean wellFormed = !value.isEmpty() && value.length() <= ID_CHARS;
        for (int i = 0; wellFormed && i < value.length(); i++) {
            char c = value.charAt(i);
            wellFormed = c < IN_IDS.length && IN_IDS[c];
        }
        if (!wellFormed) {
            throw new IllegalArgumentException("%s must be 1 to %d characters of A–Z a–z 0–9 - _ . : but was '%s'"
                    .formatted(what, ID_CHARS, shortened(value, ID_CHARS)));
        }
    }

    static void requireName(String what, String value) {
        if (value.length() > NAME_CHARS) {
            throw new IllegalArgumentException("%s must be at most %d characters but has %d: '%s'"
                    .formatted(what, NAME_CHARS, value.length(), shortened(value, 40)));
        }
    }

    static void requirePositive(String what, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(TIMEOUT) > 0) {
            throw new IllegalArgumentException(
                    "%s must be more than 0 and at most %s but was %s".formatted(what, TIMEOUT, value));
        }
        // The journal and the wire know no finer ones: a replay would decide otherwise than the first run.
        if (!value.equals(Duration.ofMillis(value.toMillis()))) {
            throw new IllegalArgumentException("%s must be in whole milliseconds but was %s".formatted(what, value));
        }
    }

    static Map<String, String> requireAttributes(Map<String, String> attributes) {
        if (attributes.size() > ATTRIBUTES) {
            throw new IllegalArgumentException(
                    "a saga may have at most %d attributes but has %d".formatted(ATTRIBUTES, attributes.size()));
        }
        attributes.forEach((name, value) -> {
            requireName("attribute name", name);
            requireName("attribute '" + name + "'", value);
        });
        return Map.copyOf(attributes);
    }

    /** {@code text} cut to {@code chars} characters, without splitting a surrogate pair. */
    static String shortened(String text, int chars) {
        if (text.length() <= chars) return text;
        int end = Character.isHighSurrogate(text.charAt(chars - 2)) ? chars - 2 : chars - 1;
        return text.substring(0, end) + "…";
    }
}
