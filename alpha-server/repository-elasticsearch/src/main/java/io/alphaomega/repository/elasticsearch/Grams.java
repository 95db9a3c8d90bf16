package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.SagaSummary;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Parts of texts, for searches: every three characters in a row, and the one and two at the end. Whoever has a text has
 * all its threes; whoever has a shorter one has a part that begins with it. Made here and not by an analyzer, because the
 * bare Elasticsearch has none for it, and because both sides must fold letters alike.
 */
final class Grams {
    static final int LENGTH = 3;

    private Grams() {}

    static Set<String> of(SagaSummary saga) {
        Set<String> grams = new LinkedHashSet<>();
        texts(saga).forEach(text -> add(grams, text, 1));
        return grams;
    }

    /**
     * Of a text of at least three characters: what a saga must have to have it. That it has them does not prove that they
     * are in a row, and in one place.
     */
    static Set<String> whole(String text) {
        Set<String> grams = new LinkedHashSet<>();
        add(grams, folded(text), LENGTH);
        return grams;
    }

    private static void add(Set<String> grams, String text, int shortest) {
        int[] characters = text.codePoints().toArray();
        for (int i = 0; i + shortest <= characters.length; i++) {
            grams.add(new String(characters, i, Math.min(LENGTH, characters.length - i)));
        }
    }

    static boolean isShort(String text) {
        String folded = folded(text);
        return folded.codePointCount(0, folded.length()) < LENGTH;
    }

    private static Stream<String> texts(SagaSummary saga) {
        return Stream.of(saga.id().value(), saga.businessKey(), saga.operation(), saga.reason())
                .map(Grams::folded);
    }

    /** Case does not matter, in any language. */
    static String folded(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
