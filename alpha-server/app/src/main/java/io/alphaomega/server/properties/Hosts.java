package io.alphaomega.server.properties;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names of hosts as a URI may have them. Many a container has another: with an underscore, a hyphen at its end, a digit
 * before the last label. Akka and the JDK's HTTP client make URIs of what they are given.
 */
public final class Hosts {
    private static final Pattern AUTHORITY = Pattern.compile("(?:.*@)?(?<host>[^@]*?)(?::[0-9]*)?");

    private Hosts() {}

    static boolean fitsUri(String host) {
        try {
            return new URI("x://" + host + ":1").getHost() != null;
        } catch (URISyntaxException e) {
            return false;
        }
    }

    /** What is wrong with the host of an address, if that alone is; as the end of a sentence whose subject is the property. */
    public static Optional<String> refusal(String address) {
        try {
            URI uri = new URI(address);
            if (uri.getHost() != null || uri.getRawAuthority() == null) return Optional.empty();
            Matcher authority = AUTHORITY.matcher(uri.getRawAuthority());
            return authority.matches() ? Optional.of(refusalOf(authority.group("host"))) : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }

    static String refusalOf(String host) {
        return ("has the host '%s', which fits into no URI (letters of ASCII, digits, - and .; no - at the end of a"
                        + " label; the last label begins with a letter). Give it another name, such as an alias in the network of"
                        + " its container, or its IP address")
                .formatted(host);
    }
}
