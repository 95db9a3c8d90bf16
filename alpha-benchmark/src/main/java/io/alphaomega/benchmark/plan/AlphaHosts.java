package io.alphaomega.benchmark.plan;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;

/**
 * Addresses of alphas, host:port, whose names need not fit into a URI: many a container's has an underscore, which gRPC and
 * the JDK's HTTP client refuse.
 */
public final class AlphaHosts {
    private AlphaHosts() {}

    /** Resolved, and known by its IP address only; unresolved if nobody knows the name. */
    public static InetSocketAddress nameless(String address) {
        int colon = address.lastIndexOf(':');
        String host = address.substring(0, colon);
        int port = Integer.parseInt(address.substring(colon + 1));
        try {
            return new InetSocketAddress(ip(host), port);
        } catch (UnknownHostException e) {
            return InetSocketAddress.createUnresolved(host, port);
        }
    }

    /** By HTTP; with the IP address in the place of a name that fits into no URI. */
    public static URI http(String address, String path) throws UnknownHostException {
        URI uri = URI.create("http://" + address + path);
        if (uri.getHost() != null) return uri;
        int colon = address.lastIndexOf(':');
        String ip = ip(address.substring(0, colon)).getHostAddress();
        return URI.create("http://" + (ip.contains(":") ? "[" + ip + "]" : ip) + address.substring(colon) + path);
    }

    private static InetAddress ip(String host) throws UnknownHostException {
        return InetAddress.getByAddress(InetAddress.getByName(host).getAddress());
    }
}
