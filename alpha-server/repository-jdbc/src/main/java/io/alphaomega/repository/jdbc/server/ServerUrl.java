package io.alphaomega.repository.jdbc.server;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * A JDBC URL without its scheme and without a secret.
 *
 * @param place hosts and database, {@code //host:3306/alpha}
 * @param options what follows the question mark; empty if nothing does
 */
record ServerUrl(String place, String options) {
    static final Duration CONNECTED_WITHIN = Duration.ofSeconds(3);

    private static final Pattern SECRET = Pattern.compile("(?i)(^|&)(user|username|password|pwd)=|://[^/]*@");

    static ServerUrl of(String url, String... schemes) {
        for (String scheme : schemes) {
            if (url.startsWith(scheme)) return of(url.substring(scheme.length()));
        }
        // The URL is not repeated: it may hold a password.
        throw new IllegalArgumentException("the URL must begin with %s".formatted(String.join(" or ", schemes)));
    }

    private static ServerUrl of(String rest) {
        int question = rest.indexOf('?');
        ServerUrl url = question < 0
                ? new ServerUrl(rest, "")
                : new ServerUrl(rest.substring(0, question), rest.substring(question + 1));
        if (SECRET.matcher(url.options()).find() || url.place().contains("@")) {
            throw new IllegalArgumentException(
                    "the URL must not hold a user or a password: these have properties of their own");
        }
        return url;
    }

    /** @throws IllegalArgumentException if it has one of these options */
    ServerUrl without(List<String> refused, String driver) {
        String said = "&" + options.toLowerCase(Locale.ROOT);
        for (String option : refused) {
            if (said.contains("&" + option.toLowerCase(Locale.ROOT))) {
                throw new IllegalArgumentException(
                        "the URL must not say %s: %s does not understand it as meant; sslMode=verify-full, verify-ca or trust encrypts"
                                .formatted(option, driver));
            }
        }
        return this;
    }

    /**
     * @param needed options with their values
     * @throws IllegalArgumentException if it has one of these options with another value
     */
    ServerUrl agreeingWith(List<String> needed) {
        for (String option : options.split("&", -1)) {
            String name = option.split("=", -1)[0];
            for (String need : needed) {
                boolean same = need.substring(0, need.indexOf('=')).equalsIgnoreCase(name);
                if (same && !need.equalsIgnoreCase(option)) {
                    throw new IllegalArgumentException(
                            "the URL must not say %s other than %s: appends rely on that; leave it out"
                                    .formatted(name, need));
                }
            }
        }
        return this;
    }

    /** For people. */
    String name() {
        int slash = place.lastIndexOf('/');
        return "%s on %s"
                .formatted(
                        place.substring(slash + 1),
                        place.substring(0, Math.max(slash, 0)).replace("/", ""));
    }

    /** With these options where it does not say otherwise. */
    String withDefaults(Map<String, String> defaults) {
        StringBuilder all = new StringBuilder(options);
        String said = "&" + options.toLowerCase(Locale.ROOT);
        new TreeMap<>(defaults).forEach((option, value) -> {
            if (!said.contains("&" + option.toLowerCase(Locale.ROOT) + "=")) {
                all.append(all.isEmpty() ? "" : "&").append(option).append('=').append(value);
            }
        });
        return place + "?" + all;
    }
}
