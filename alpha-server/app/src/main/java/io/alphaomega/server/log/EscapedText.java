package io.alphaomega.server.log;

import org.jspecify.annotations.Nullable;

/**
 * A text with everything escaped that could begin a line, hide one, or move the cursor of a terminal: names, reasons and
 * errors come from outside.
 */
final class EscapedText {
    private EscapedText() {}

    /** The text itself if there is nothing to escape, as nearly always. */
    static @Nullable String of(@Nullable String text) {
        if (text == null) return null;
        for (int i = 0; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            if (isUnsafe(text.codePointAt(i))) return escaped(text);
        }
        return text;
    }

    private static String escaped(String text) {
        StringBuilder safe = new StringBuilder(text.length() + 16);
        text.codePoints().forEach(c -> {
            if (!isUnsafe(c)) safe.appendCodePoint(c);
            else if (c == '\n') safe.append("\\n");
            else if (c == '\r') safe.append("\\r");
            else safe.append(String.format("\\u%04x", c));
        });
        return safe.toString();
    }

    /** Tabs only indent. What is invisible may turn the direction of what follows. */
    private static boolean isUnsafe(int c) {
        if (c >= ' ' && c < 0x7f) return false;
        return switch (Character.getType(c)) {
            case Character.CONTROL -> c != '\t';
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE -> true;
            default -> false;
        };
    }
}
