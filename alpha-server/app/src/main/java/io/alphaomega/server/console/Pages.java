package io.alphaomega.server.console;

import gg.jte.ContentType;
import gg.jte.TemplateEngine;
import gg.jte.output.StringOutput;
import io.alphaomega.server.epoch.StoreEpoch;
import java.util.Map;
import java.util.Optional;
import org.springframework.http.CacheControl;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;

/** Draws pages. The templates are classes beside this one, made by the build from {@code src/main/jte}. */
@Component
final class Pages {
    /** Nothing but what this node serves, and no script or style within a page. */
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

    private static final MediaType HTML = MediaType.parseMediaType("text/html;charset=UTF-8");

    private final TemplateEngine templates =
            TemplateEngine.createPrecompiled(null, ContentType.Html, null, Pages.class.getPackageName());

    private final Optional<StoreEpoch> epoch;

    Pages(Optional<StoreEpoch> epoch) {
        this.epoch = epoch;
    }

    ResponseEntity<String> draw(HttpStatusCode status, String template, Frame plain, String name, Object model) {
        Frame frame = epoch.flatMap(StoreEpoch::holding).map(plain::holding).orElse(plain);
        StringOutput html = new StringOutput(32 * 1024);
        templates.render(template + ".jte", Map.of("frame", frame, name, model), html);
        return ResponseEntity.status(status)
                .contentType(HTML)
                .cacheControl(CacheControl.noStore())
                .varyBy(HttpHeaders.ACCEPT_LANGUAGE, HttpHeaders.COOKIE)
                .header(HttpHeaders.CONTENT_LANGUAGE, frame.words().language())
                .header("Content-Security-Policy", POLICY)
                .header("X-Content-Type-Options", "nosniff")
                .header("Referrer-Policy", "same-origin")
                .body(html.toString());
    }
}
