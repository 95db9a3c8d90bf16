package io.alphaomega.server.properties;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URI;
import java.net.URLEncoder;
import java.util.Optional;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Where the console and the API lead to from a saga.
 *
 * @param traceUrl address of a branch's trace, with {traceId} where its id belongs; empty for none
 * @param logUrl address of what services have logged of a saga, with {sagaId} where its id belongs; empty for none
 */
public record ConsoleProperties(
        @DefaultValue("") String traceUrl, @DefaultValue("") String logUrl) {
    private static final String TRACE = "{traceId}";
    private static final String SAGA = "{sagaId}";

    public ConsoleProperties {
        requireTemplate("alpha.console.trace-url", traceUrl, TRACE, "http://localhost:16686/trace/{traceId}");
        requireTemplate(
                "alpha.console.log-url", logUrl, SAGA, "https://logs.example.com/search?q=sagaId%3A%22{sagaId}%22");
    }

    /** The address of that trace, if there is one. */
    public Optional<String> trace(String id) {
        return filled(traceUrl, TRACE, id);
    }

    /** The address of what is logged of that saga, if there is one. */
    public Optional<String> log(String saga) {
        return filled(logUrl, SAGA, saga);
    }

    private static Optional<String> filled(String template, String placeholder, String id) {
        if (template.isEmpty()) return Optional.empty();
        // A blank as %20, which means the same in every part of an address.
        return Optional.of(
                template.replace(placeholder, URLEncoder.encode(id, UTF_8).replace("+", "%20")));
    }

    /** Whatever the id is, it must not say where the link leads. */
    private static void requireTemplate(String property, String template, String placeholder, String example) {
        if (template.isEmpty()) return;
        Refusals.requireHostOf(property, template.replace(placeholder, "0"));
        if (!template.contains(placeholder) || !isAddress(template, placeholder)) {
            throw new RefusedPropertyException( // It may have a password.
                    "%s must be an address of http or https without a user, percent-encoded, with %s behind the host, such as %s."
                            .formatted(property, placeholder, example));
        }
    }

    private static boolean isAddress(String template, String placeholder) {
        try {
            URI address = URI.create(template.replace(placeholder, "0"));
            boolean isHttp = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
            if (!isHttp || address.getHost() == null || address.getUserInfo() != null) return false;
            return template.startsWith(address.getScheme() + "://" + address.getRawAuthority());
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
