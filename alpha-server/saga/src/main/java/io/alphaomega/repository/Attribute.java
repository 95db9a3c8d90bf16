package io.alphaomega.repository;

import java.util.Collection;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * What a service says of a saga besides its business key, such as {@code tenant=acme}.
 *
 * <p>As a text the name ends at the first {@code =}. A name that has one itself, or a backslash, has a backslash before it.
 */
public record Attribute(String name, String value) {

    /** Throws {@link IllegalArgumentException} for a text without {@code =}. */
    public static Attribute of(String text) {
        StringBuilder name = new StringBuilder();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '=') return new Attribute(name.toString(), text.substring(i + 1));
            if (c == '\\' && i + 1 < text.length()) c = text.charAt(++i);
            name.append(c);
        }
        throw new IllegalArgumentException("an attribute is name=value but was '" + text + "'");
    }

    /** Of all of them, in an order that depends on nothing else. */
    public static SortedSet<String> texts(Map<String, String> attributes) {
        SortedSet<String> texts = new TreeSet<>();
        attributes.forEach((name, value) -> texts.add(new Attribute(name, value).text()));
        return texts;
    }

    /** What {@link #texts} were made of. */
    public static Map<String, String> map(Collection<String> texts) {
        return texts.stream()
                .map(Attribute::of)
                .collect(Collectors.toMap(Attribute::name, Attribute::value, (one, other) -> one));
    }

    public String text() {
        return name.replace("\\", "\\\\").replace("=", "\\=") + "=" + value;
    }

    boolean isOf(SagaSummary saga) {
        return value.equals(saga.attributes().get(name));
    }
}
