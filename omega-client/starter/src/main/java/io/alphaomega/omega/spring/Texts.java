package io.alphaomega.omega.spring;

import org.jspecify.annotations.Nullable;

/** Texts that are kept. */
final class Texts {
    private static final int HALVES_MIN = Character.MIN_SURROGATE;
    private static final int HALVES_MAX = Character.MAX_SURROGATE;

    private Texts() {}

    /**
     * Whether the text is one that UTF-8 can say. Half of a character of two, as {@code substring} may leave it, becomes a
     * question mark, as does any other: two keys may become one.
     */
    static boolean isWhole(@Nullable String text) {
        return text != null && text.codePoints().noneMatch(each -> each >= HALVES_MIN && each <= HALVES_MAX);
    }
}
