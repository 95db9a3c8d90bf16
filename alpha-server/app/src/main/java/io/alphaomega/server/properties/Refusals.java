package io.alphaomega.server.properties;

import io.alphaomega.saga.Limits;
import java.net.URI;
import java.time.Duration;
import java.util.Locale;

/** What is said of a value that makes no sense: which property, what it must be, and what it was. */
final class Refusals {
    private Refusals() {}

    static void requireText(String property, String value) {
        if (value.isBlank()) throw refused(property, "some text", value);
    }

    static void requirePort(String property, int port) {
        if (port < 0 || port > 65_535) throw refused(property, "a port, 0 to 65535", port);
    }

    static void requirePositive(String property, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(Limits.TIMEOUT) > 0) {
            throw refused(property, "more than 0 and at most " + text(Limits.TIMEOUT), text(value));
        }
        if (!value.equals(Duration.ofMillis(value.toMillis()))) {
            throw refused(property, "in whole milliseconds", value);
        }
    }

    /** Somebody who takes OTLP over HTTP; empty for nobody. The address is not repeated: it may have a password. */
    static void requireCollector(String property, String address, String example) {
        if (address.isEmpty() || isWithoutUser(address)) return;
        requireHostOf(property, address);
        throw new RefusedPropertyException(
                "%s must be an address such as %s, without a user.".formatted(property, example));
    }

    /** Refuses an address whose host fits into no URI, by a sentence that says so. */
    static void requireHostOf(String property, String address) {
        Hosts.refusal(address).ifPresent(refusal -> {
            throw new RefusedPropertyException(property + " " + refusal + ".");
        });
    }

    /** Refuses a name, without a port, that fits into no URI; an IPv6 address does. */
    static void requireHost(String property, String host) {
        requireText(property, host);
        if (!host.contains(":") && !Hosts.fitsUri(host)) {
            throw new RefusedPropertyException(property + " " + Hosts.refusalOf(host) + ".");
        }
    }

    /** Refuses the name of a file that is none, or that Java would write otherwise by this locale. */
    static void requirePath(String property, String path) {
        if (!UnreadableText.isPath(path)) {
            throw new RefusedPropertyException(
                    "%s is '%s', which %s.".formatted(property, path, UnreadableText.NO_PATH));
        }
    }

    private static boolean isWithoutUser(String address) {
        try {
            URI uri = URI.create(address);
            boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
            return isHttp && uri.getHost() != null && uri.getUserInfo() == null;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    static RefusedPropertyException refused(String property, String expected, Object found) {
        return new RefusedPropertyException("%s must be %s but was '%s'.".formatted(property, expected, found));
    }

    /** As people write durations in properties. */
    static String text(Duration duration) {
        if (duration.toDaysPart() > 0 && duration.equals(Duration.ofDays(duration.toDays()))) {
            return duration.toDays() + "d";
        }
        return duration.toMillis() % 1_000 == 0 ? duration.toSeconds() + "s" : duration.toMillis() + "ms";
    }

    /** As people write constants in properties. */
    static String text(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
