package io.alphaomega.server.console;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The documentation for operators, as it was when this alpha was built. */
final class Runbook {
    private static final String SOURCE = "/docs/operating.md";

    private Runbook() {}

    /** Drawn anew each time: it is seldom read. */
    static String html() {
        List<Extension> extensions = List.of(TablesExtension.create(), HeadingAnchorExtension.create());
        Parser parser = Parser.builder().extensions(extensions).build();
        HtmlRenderer renderer = HtmlRenderer.builder()
                .extensions(extensions)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    // The other documents are not here, only in the repository.
                    String link = attributes.get("href");
                    if (link != null && !link.startsWith("#")) attributes.remove("href");
                    // A strict policy takes no styles within a page.
                    attributes.remove("align");
                    // Who has no mouse scrolls what is wide by keys.
                    if (tag.equals("pre")) attributes.put("tabindex", "0");
                })
                .build();
        return renderer.render(parser.parse(markdown()));
    }

    private static String markdown() {
        try (InputStream in = Objects.requireNonNull(Runbook.class.getResourceAsStream(SOURCE), SOURCE)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
