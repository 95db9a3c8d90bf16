package io.alphaomega.omega.spring.config;

import org.jspecify.annotations.Nullable;

/** Texts that are kept. */
public final class Texts {
    private static final int HALVES_MIN = Character.MIN_SURROGATE;
    private static final int HALVES_MAX = Character.MAX_SURROGATE;

    private Texts() {}

    /**
     * Whether the text is one that UTF-8 can say. Half of a character of two, as {@code substring} may leave it, becomes a
     * question mark, as does any other: two keys may become one.
     */
    public static boolean isWhole(@Nullable String text) {
        return text != null && text.codePoints().noneMatch(each -> each >= HALVES_MIN && each <= HALVES_MAX);
    }

    /**
     * Whether the name of a property has half of a character: it is written as an escape, which Jackson 3 reads in values
     * only.
     *
     * @param json as Jackson writes it, without blanks
     */
    public static boolean hasHalfInName(byte[] json) {
        for (int at = 0; at < json.length; at++) {
            if (json[at] != '"') continue;
            boolean half = false;
            int end = at + 1;
            while (end < json.length && json[end] != '"') {
                half |= isHalf(json, end);
                end += json[end] == '\\' ? 2 : 1;
            }
            if (half && end + 1 < json.length && json[end + 1] == ':') return true;
            at = end;
        }
        return false;
    }

    /** A whole character is not escaped. */
    private static boolean isHalf(byte[] json, int at) {
        return json[at] == '\\'
                && at + 3 < json.length
                && json[at + 1] == 'u'
                && (json[at + 2] == 'D' || json[at + 2] == 'd')
                && Character.digit(json[at + 3], 16) >= 8;
    }
}
