package io.alphaomega.ctl;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.UnknownHostException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** The API of one alpha. */
final class Api {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** Longer than alpha waits for its store. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(15);

    private static final Pattern ODD_HOST =
            Pattern.compile("(?<scheme>https?)://(?<host>[a-zA-Z0-9._-]+)(?<port>(:[0-9]+)?)");

    /** Alpha has said no; the message is its sentence. */
    static final class RefusedException extends RuntimeException {
        RefusedException(String sentence) {
            super(sentence);
        }
    }

    /** Nobody has answered. */
    static final class UnreachableException extends RuntimeException {
        UnreachableException(String sentence, Throwable cause) {
            super(sentence, cause);
        }
    }

    /**
     * What alpha has answered.
     *
     * @param status of HTTP
     */
    record Answer(int status, JsonNode body) {}

    private final String server;
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(3)).build();

    /** @param server such as {@code http://localhost:8090}, with or without the scheme */
    Api(String server) {
        String address = server.contains("://") ? server : "http://" + server;
        this.server = address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
    }

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /** In a path or a query. */
    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    /** Adds a parameter to a query that has one already; none without a value. */
    static void add(StringBuilder query, String name, @Nullable String value) {
        if (value != null) query.append('&').append(name).append('=').append(encoded(value));
    }

    JsonNode get(String path) {
        return body(exchange(request(path).GET()));
    }

    /** Also what is not well: health says so with 503. */
    Answer look(String path) {
        return exchange(request(path).GET());
    }

    JsonNode post(String path, ObjectNode order) {
        return body(exchange(request(path)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order.toString()))));
    }

    private HttpRequest.Builder request(String path) {
        try {
            URI uri = URI.create(server + path);
            if (uri.getHost() != null) return HttpRequest.newBuilder(uri);
            Matcher named = ODD_HOST.matcher(server);
            return HttpRequest.newBuilder(named.matches() ? byIpAddress(named, path) : uri);
        } catch (IllegalArgumentException e) {
            throw new UnreachableException(
                    "--server must be the HTTP address of an alpha, such as http://localhost:8090, but was '%s'."
                            .formatted(server),
                    e);
        }
    }

    /** A name that fits into no URI, as that of a container with an underscore, is for the resolver all the same. */
    private URI byIpAddress(Matcher named, String path) {
        if (named.group("scheme").equals("https")) {
            throw new UnreachableException(
                    "--server has the host '%s', which Java compares with no certificate: give alpha a name of letters, digits, - and . that its certificate is for."
                            .formatted(named.group("host")),
                    new IllegalArgumentException(server));
        }
        try {
            String ip = InetAddress.getByName(named.group("host")).getHostAddress();
            return URI.create("http://" + (ip.contains(":") ? "[" + ip + "]" : ip) + named.group("port") + path);
        } catch (UnknownHostException e) {
            throw unreachable(e);
        }
    }

    private UnreachableException unreachable(IOException e) {
        return new UnreachableException(
                "No alpha answers at %s: %s. Say where one is with --server or ALPHACTL_SERVER."
                        .formatted(server, e.getClass().getSimpleName()),
                e);
    }

    /** Refuses what is no answer but a problem. */
    static JsonNode body(Answer answer) {
        if (answer.status() >= 200 && answer.status() < 300 && answer.body().isObject()) return answer.body();
        throw new RefusedException(
                answer.body().path("detail").asString("Alpha answered with the status " + answer.status() + "."));
    }

    private Answer exchange(HttpRequest.Builder request) {
        try {
            HttpResponse<String> response = client.send(
                    request.timeout(ANSWER_WITHIN)
                            .header("Accept", "application/json")
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            return new Answer(response.statusCode(), JSON.readTree(response.body()));
        } catch (IOException e) {
            throw unreachable(e);
        } catch (JacksonException e) {
            throw new UnreachableException("The server at %s is not an alpha.".formatted(server), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnreachableException("Interrupted.", e);
        }
    }
}
