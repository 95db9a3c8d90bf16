package io.alphaomega.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * A page of the documentation for operators, as it was when this alpha was built.
 *
 * @param file where it is in the repository
 * @param html drawn anew each time: it is seldom read
 */
record Runbook(String file, String html) {
    /** The path of the front page; the others are below it. */
    private static final String FRONT = "/docs/operating";

    private static final String SUFFIX = ".md";

    static Optional<Runbook> front() {
        return read(FRONT + SUFFIX);
    }

    /** @param name of letters only; empty if there is no such page */
    static Optional<Runbook> page(String name) {
        return read(FRONT + "/" + name + SUFFIX);
    }

    private static Optional<Runbook> read(String source) {
        try (InputStream in = Runbook.class.getResourceAsStream(source)) {
            if (in == null) return Optional.empty();
            String markdown = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Optional.of(new Runbook(source.substring(1), render(URI.create(source), markdown)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String render(URI source, String markdown) {
        List<Extension> extensions = List.of(TablesExtension.create(), HeadingAnchorExtension.create());
        Parser parser = Parser.builder().extensions(extensions).build();
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(extensions)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    lead(source, attributes);
                    // A strict policy takes no styles within a page.
                    attributes.remove("align");
                    // Readers without a mouse scroll a wide block by keys.
                    if (tag.equals("pre")) attributes.put("tabindex", "0");
                })
                .build();
        return renderer.render(parser.parse(markdown));
    }

    /** Links between these pages stay. The other documents are not here, only in the repository. */
    private static void lead(URI source, Map<String, String> attributes) {
        String link = attributes.get("href");
        if (link == null || link.startsWith("#")) return;
        attributes.remove("href");
        String target = source.resolve(link).toString();
        int end = target.indexOf(SUFFIX);
        if (!target.startsWith(FRONT) || end < 0) return;
        String path = target.substring(0, end);
        if (Runbook.class.getResource(path + SUFFIX) != null)
            attributes.put("href", path + target.substring(end + SUFFIX.length()));
    }
}
