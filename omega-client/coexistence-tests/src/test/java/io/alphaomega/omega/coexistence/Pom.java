package io.alphaomega.omega.coexistence;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/**
 * What a POM says, as far as class paths go.
 *
 * @param key group:artifact
 * @param dependencies keys of what it needs when it runs
 */
record Pom(String key, List<String> dependencies) {
    private static final Set<String> RUNTIME = Set.of("", "compile", "runtime");

    static Pom of(Path file) {
        Element project = parsed(file);
        String group = text(project, "groupId");
        if (group.isEmpty()) group = text(child(project, "parent"), "groupId");
        List<String> needed = new ArrayList<>();
        Element dependencies = child(project, "dependencies");
        if (dependencies != null) {
            for (Element each : children(dependencies)) {
                boolean optional = text(each, "optional").equals("true");
                if (optional || !RUNTIME.contains(text(each, "scope"))) continue;
                String its = text(each, "groupId").replaceAll("\\$\\{(project|pom)\\.groupId}", group);
                needed.add(its + ":" + text(each, "artifactId"));
            }
        }
        return new Pom(group + ":" + text(project, "artifactId"), List.copyOf(needed));
    }

    private static Element parsed(Path file) {
        try {
            return DocumentBuilderFactory.newDefaultInstance()
                    .newDocumentBuilder()
                    .parse(file.toFile())
                    .getDocumentElement();
        } catch (Exception e) {
            throw new IllegalStateException(file + " cannot be read", e);
        }
    }

    private static List<Element> children(Element parent) {
        List<Element> all = new ArrayList<>();
        for (Node node = parent.getFirstChild(); node != null; node = node.getNextSibling()) {
            if (node instanceof Element element) all.add(element);
        }
        return all;
    }

    private static @Nullable Element child(@Nullable Element parent, String name) {
        if (parent == null) return null;
        return children(parent).stream()
                .filter(each -> each.getTagName().equals(name))
                .findFirst()
                .orElse(null);
    }

    private static String text(@Nullable Element parent, String name) {
        Element found = child(parent, name);
        return found == null ? "" : found.getTextContent().trim();
    }
}
