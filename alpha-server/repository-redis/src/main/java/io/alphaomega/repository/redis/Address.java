package io.alphaomega.repository.redis;

import io.lettuce.core.RedisURI;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.net.ssl.SNIHostName;
import org.jspecify.annotations.Nullable;

/**
 * Where Redis is, as people write it: {@code redis://user:password@host:6379}, {@code rediss://} for TLS, {@code
 * redis-cluster://one:7000,two:7000} and {@code rediss-cluster://} for some servers of a cluster, {@code
 * redis-sentinel://one:26379,two:26379#master} for a server that Sentinel knows.
 *
 * @param cluster whether it must be a cluster; a single address may turn out to be one
 * @param name for people, without a password
 */
record Address(List<RedisURI> servers, boolean cluster, String name) {
    private static final Pattern CLUSTER = Pattern.compile("(rediss?)-cluster://(.*@)?([^/?@]+)([/?].*)?");

    /** Where the port is left behind a name that fits into no URI, as that of many a container with an underscore. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("(?<host>[^:\\[\\]]+):(?<port>[0-9]{1,5})");

    private static final List<String> SCHEMES = List.of("redis", "rediss", "redis-sentinel", "rediss-sentinel");

    /** Throws an {@link IllegalArgumentException} that says what is wrong, and not what was given: it may have a password. */
    static Address of(String uri) {
        Matcher cluster = CLUSTER.matcher(uri);
        List<RedisURI> servers;
        if (cluster.matches()) {
            String before = cluster.group(1) + "://" + text(cluster.group(2));
            String after = text(cluster.group(4));
            servers = Stream.of(cluster.group(3).split(",", -1))
                    .map(host -> server(before + host + after))
                    .toList();
        } else {
            if (SCHEMES.stream().noneMatch(scheme -> uri.startsWith(scheme + "://"))) throw unreadable();
            servers = List.of(server(uri));
        }
        String hosts = servers.stream().map(Address::host).collect(Collectors.joining(","));
        return new Address(servers, cluster.matches(), (cluster.matches() ? "Redis Cluster at " : "Redis at ") + hosts);
    }

    private static String text(@Nullable String group) {
        return group == null ? "" : group;
    }

    private static RedisURI server(String uri) {
        RedisURI server;
        try {
            server = RedisURI.create(uri);
        } catch (IllegalArgumentException e) {
            throw unreadable();
        }
        Matcher odd = HOST_AND_PORT.matcher(String.valueOf(server.getHost()));
        if (odd.matches()) {
            server.setHost(odd.group("host"));
            server.setPort(Integer.parseInt(odd.group("port")));
        }
        boolean named = server.getHost() != null && !server.getHost().isEmpty();
        if (server.getSentinels().isEmpty() && !named) throw unreadable();
        if (server.isSsl()) requireNameOfCertificates(server);
        return server;
    }

    private static void requireNameOfCertificates(RedisURI server) {
        String host = String.valueOf(server.getHost());
        try {
            if (!host.contains(":")) new SNIHostName(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "it has the host '%s', which Java compares with no certificate: for TLS give the server a name of letters, digits, - and ."
                            .formatted(host));
        }
    }

    private static IllegalArgumentException unreadable() {
        return new IllegalArgumentException(
                "it must be an address such as redis://host:6379, rediss://user:password@host:6379 or"
                        + " redis-cluster://one:7000,two:7000, with special characters of a password percent-encoded");
    }

    private static String host(RedisURI server) {
        return server.getSentinels().isEmpty()
                ? server.getHost() + ":" + server.getPort()
                : server.getSentinels().stream()
                        .map(sentinel -> sentinel.getHost() + ":" + sentinel.getPort())
                        .collect(Collectors.joining(","));
    }
}
