package io.alphaomega.server.http;

import com.github.therapi.runtimejavadoc.Comment;
import com.github.therapi.runtimejavadoc.CommentElement;
import com.github.therapi.runtimejavadoc.CommentText;
import com.github.therapi.runtimejavadoc.InlineLink;
import com.github.therapi.runtimejavadoc.InlineTag;
import com.github.therapi.runtimejavadoc.RuntimeJavadoc;
import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;

/** What Javadoc says, as Markdown. The build keeps it beside the classes. */
final class Javadocs {
    private Javadocs() {}

    static String of(Method method) {
        return sentence(RuntimeJavadoc.getJavadoc(method).getComment());
    }

    static String of(Class<?> type) {
        return sentence(RuntimeJavadoc.getJavadoc(type).getComment()).replace(", as JSON", "");
    }

    static String of(Enum<?> constant) {
        return sentence(RuntimeJavadoc.getJavadoc(constant).getComment());
    }

    /** By name; without those of which nothing is said. */
    static Map<String, String> ofComponents(Class<?> type) {
        Map<String, String> texts = new HashMap<>();
        RuntimeJavadoc.getJavadoc(type)
                .getRecordComponents()
                .forEach(component -> texts.put(component.getName(), text(component.getComment())));
        texts.values().removeIf(String::isEmpty);
        return texts;
    }

    private static String text(Comment comment) {
        StringBuilder text = new StringBuilder();
        for (CommentElement element : comment) {
            switch (element) {
                case CommentText plain -> text.append(plain.getValue());
                case InlineTag tag ->
                    text.append('`').append(tag.getValue().strip()).append('`');
                case InlineLink link ->
                    text.append('`').append(link.getLink().getLabel()).append('`');
                default -> throw new AssertionError("Javadoc with " + element + " where the API needs plain text");
            }
        }
        return text.toString().replaceAll("\\s+", " ").strip();
    }

    private static String sentence(Comment comment) {
        String said = text(comment);
        return said.isEmpty() ? said : Character.toUpperCase(said.charAt(0)) + said.substring(1);
    }
}
