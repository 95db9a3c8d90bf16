package io.alphaomega.server.properties;

import static io.alphaomega.server.properties.Refusals.refused;
import static io.alphaomega.server.properties.Refusals.requireHostOf;
import static io.alphaomega.server.properties.Refusals.requirePositive;

import java.net.URI;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Whom alpha tells of suspended sagas over HTTP, besides the log and the metrics.
 *
 * @param url where the messages are posted; empty for nobody
 * @param secret signs each message, the same at the receiver: whsec_ and 24 to 64 random bytes in Base64
 * @param allowedHosts hosts that may be posted to; that of the URL must be one of them
 * @param console address of alpha's console as people reach it, for the links in the messages; empty for paths
 * @param timeout how long the receiver may take for an answer
 * @param giveUpAfter how long a message that fails is sent again; pauses grow from a second to a minute
 */
public record WebhookProperties(
        @DefaultValue("") String url,
        @DefaultValue("") String secret,
        @DefaultValue List<String> allowedHosts,
        @DefaultValue("") String console,
        @DefaultValue("5s") Duration timeout,
        @DefaultValue("1h") Duration giveUpAfter) {
    /** As Standard Webhooks has it, so that its libraries can check the messages. */
    private static final String SECRET_PREFIX = "whsec_";

    private static final int SECRET_BYTES_MIN = 24;
    private static final int SECRET_BYTES_MAX = 64;

    public WebhookProperties {
        allowedHosts =
                allowedHosts.stream().map(host -> host.toLowerCase(Locale.ROOT)).toList();
        requirePositive("alpha.webhook.timeout", timeout);
        requirePositive("alpha.webhook.give-up-after", giveUpAfter);
        if (!console.isEmpty()) console = base(address("alpha.webhook.console", console));
        if (!url.isEmpty()) {
            String host = address("alpha.webhook.url", url).getHost().toLowerCase(Locale.ROOT);
            if (!allowedHosts.contains(host)) {
                throw refused("alpha.webhook.url", "at one of alpha.webhook.allowed-hosts, " + allowedHosts, host);
            }
            int bytes = secret.startsWith(SECRET_PREFIX) ? key(secret).length : 0;
            if (bytes < SECRET_BYTES_MIN || bytes > SECRET_BYTES_MAX) {
                throw new RefusedPropertyException(
                        "alpha.webhook.secret must be %s and %d to %d random bytes in Base64, because alpha.webhook.url is set; make one by: echo whsec_$(openssl rand -base64 32)"
                                .formatted(SECRET_PREFIX, SECRET_BYTES_MIN, SECRET_BYTES_MAX));
            }
        }
    }

    /** What a path is put behind. */
    private static String base(URI console) {
        String path = console.getPath().replaceFirst("/+$", "");
        return "%s://%s%s".formatted(console.getScheme(), console.getAuthority(), path);
    }

    private static URI address(String property, String url) {
        try {
            URI address = URI.create(url);
            boolean isHttp = "https".equals(address.getScheme()) || "http".equals(address.getScheme());
            if (isHttp && address.getHost() != null && address.getUserInfo() == null) return address;
        } catch (IllegalArgumentException e) {
            // Refused below, like an address of something else.
        }
        requireHostOf(property, url);
        throw new RefusedPropertyException(
                "%s must be an address such as https://alerts.example.com/alpha, without a user.".formatted(property));
    }

    /** What messages are signed with. */
    public byte[] key() {
        return key(secret);
    }

    /** Empty if it is not Base64. */
    private static byte[] key(String secret) {
        try {
            return Base64.getDecoder().decode(secret.substring(SECRET_PREFIX.length()));
        } catch (IllegalArgumentException e) {
            return new byte[0];
        }
    }

    /** The secret is nobody's business, nor is a path that is one. */
    @Override
    public String toString() {
        return "WebhookProperties[]";
    }
}
