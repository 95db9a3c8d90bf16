package io.alphaomega.omega.stream;

import java.net.InetSocketAddress;

/**
 * Where alpha is, as configured: a host name or IP address, and a port.
 *
 * @param host or the id of a service, which a registry knows the addresses of
 * @param port 0 if it is a service
 */
record AlphaAddress(String host, int port) {

    /** Reads {@code host:port} or {@code [ipv6]:port}. */
    static AlphaAddress parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.lastIndexOf(':');
        String host = colon < 0 ? trimmed : trimmed.substring(0, colon);
        if (host.startsWith("[") && host.endsWith("]")) {
            host = host.substring(1, host.length() - 1);
        } else if (host.contains(":")) {
            host = "";
        }
        int port = colon < 0 ? 0 : port(trimmed.substring(colon + 1));
        if (host.isBlank() || host.contains("/") || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "omega.alpha.addresses must be host:port (an IPv6 address in brackets) but one is '" + text + "'");
        }
        return new AlphaAddress(host, port);
    }

    static AlphaAddress ofService(String id) {
        return new AlphaAddress(id, 0);
    }

    boolean isService() {
        return port == 0;
    }

    /** What a connection to that socket says whom it wants to speak to. */
    String authority(InetSocketAddress socket) {
        return isService() ? new AlphaAddress(socket.getHostString(), socket.getPort()).toString() : toString();
    }

    private static int port(String digits) {
        try {
            return Integer.parseInt(digits);
        } catch (NumberFormatException notANumber) {
            return 0;
        }
    }

    InetSocketAddress unresolved() {
        return InetSocketAddress.createUnresolved(host, port);
    }

    @Override
    public String toString() {
        if (isService()) return "service " + host;
        return host.contains(":") ? "[" + host + "]:" + port : host + ":" + port;
    }
}
