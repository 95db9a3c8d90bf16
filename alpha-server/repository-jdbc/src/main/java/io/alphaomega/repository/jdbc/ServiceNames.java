package io.alphaomega.repository.jdbc;

import java.util.Set;
import java.util.TreeSet;

/** A set of names, or of other texts, in one column: sorted, each ended by a line feed, so that equal sets are equal texts. */
public final class ServiceNames {
    private ServiceNames() {}

    public static String text(Set<String> names) {
        StringBuilder text = new StringBuilder();
        for (String name : names.size() < 2 ? names : new TreeSet<>(names)) {
            text.append(StoredText.stored(name.indexOf('\\') < 0 && name.indexOf('\n') < 0 ? name : escaped(name)))
                    .append('\n');
        }
        return text.toString();
    }

    public static Set<String> of(String text) {
        Set<String> names = new TreeSet<>();
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
            String name = StoredText.read(text.substring(start, end));
            names.add(name.indexOf('\\') < 0 ? name : unescaped(name));
            start = end + 1;
        }
        return names;
    }

    private static String escaped(String name) {
        return name.replace("\\", "\\\\").replace("\n", "\\n");
    }

    private static String unescaped(String name) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '\\' && ++i < name.length()) c = name.charAt(i) == 'n' ? '\n' : name.charAt(i);
            text.append(c);
        }
        return text.toString();
    }
}
