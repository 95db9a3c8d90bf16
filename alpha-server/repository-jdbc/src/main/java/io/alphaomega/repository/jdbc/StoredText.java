package io.alphaomega.repository.jdbc;

/**
 * How people's texts are stored: as they are, but for the character NUL, which PostgreSQL does not take. It becomes an
 * escape ({@code DLE 0}), and the escape's first character is doubled.
 */
public final class StoredText {
    private static final char NUL = '\u0000';
    private static final char DLE = '\u0010';

    private StoredText() {}

    public static String stored(String text) {
        if (text.indexOf(NUL) < 0 && text.indexOf(DLE) < 0) return text;
        return text.replace("" + DLE, "" + DLE + DLE).replace("" + NUL, DLE + "0");
    }

    static String read(String stored) {
        if (stored.indexOf(DLE) < 0) return stored;
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < stored.length(); i++) {
            char c = stored.charAt(i);
            if (c == DLE && ++i < stored.length()) c = stored.charAt(i) == '0' ? NUL : stored.charAt(i);
            text.append(c);
        }
        return text.toString();
    }
}
