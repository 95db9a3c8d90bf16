package io.alphaomega.omega.stream;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Pattern;
import javax.net.ssl.SNIHostName;

/**
 * Where alpha is, as configured: a host name or IP address, and a port.
 *
 * @param host or the id of a service, which a registry knows the addresses of
 * @param port 0 if it is a service
 */
record AlphaAddress(String host, int port) {
    /** Also with an underscore, which no host of a URI has, and many a container does. */
    private static final Pattern HOST = Pattern.compile("[a-zA-Z0-9._-]+");

    private static final Pattern IPV6 = Pattern.compile("[0-9a-fA-F:.]*:[0-9a-fA-F:.]*(%[a-zA-Z0-9._-]+)?");

    /** Reads {@code host:port} or {@code [ipv6]:port}. */
    static AlphaAddress parse(String text) {
        String trimmed = text.trim();
        int colon = trimmed.lastIndexOf(':');
        String host = colon < 0 ? trimmed : trimmed.substring(0, colon);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        if (bracketed) host = host.substring(1, host.length() - 1);
        int port = colon < 0 ? 0 : port(trimmed.substring(colon + 1));
        if (!(bracketed ? IPV6 : HOST).matcher(host).matches() || port < 1 || port > 65_535) {
            throw new IllegalArgumentException(
                    "omega.alpha.addresses must be host:port (an IPv6 address in brackets, a name in ASCII) but one is"
                            + " '"
                            + text + "'");
        }
        return new AlphaAddress(host, port);
    }

    /** Refuses a name that no certificate can be compared with: Java takes it for none, and TLS would fail at every attempt. */
    void requireNameOfCertificates() {
        try {
            if (!host.contains(":")) new SNIHostName(host);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("omega.alpha.addresses has the host '" + host
                    + "', which Java compares with no certificate: set omega.alpha.ssl.server-name to a name that"
                    + " alpha's certificate is for, or give alpha a name of letters, digits, - and .");
        }
    }

    /** The same socket, known by its IP address only: of a name gRPC makes a URI, which some names do not fit into. */
    static InetSocketAddress nameless(InetSocketAddress socket) {
        InetAddress ip = socket.getAddress();
        if (ip == null) return socket;
        try {
            InetAddress only = ip instanceof Inet6Address six && six.getScopeId() != 0
                    ? Inet6Address.getByAddress(null, ip.getAddress(), six.getScopeId())
                    : InetAddress.getByAddress(ip.getAddress());
            return new InetSocketAddress(only, socket.getPort());
        } catch (UnknownHostException e) {
            throw new IllegalStateException("an address of " + ip.getAddress().length + " bytes", e);
        }
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
