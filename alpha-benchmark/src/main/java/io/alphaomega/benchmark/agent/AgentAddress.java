package io.alphaomega.benchmark.agent;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Where an agent is. */
record AgentAddress(String host, int port) {
    /** Of an agent whose port nobody names; beside alpha's own 8070, 8071 and 8090. */
    static final int PORT = 8060;

    private static final int PORT_MAX = 65_535;

    /** Of {@code host}, {@code host:port} or {@code [address]:port}; refuses nonsense with the option's name. */
    static AgentAddress parse(String option, String text) {
        int colon = text.lastIndexOf(':');
        boolean named = colon >= 0 && (text.indexOf(':') == colon || text.charAt(colon - 1) == ']');
        String host = named ? text.substring(0, colon) : text;
        if (host.startsWith("[") && host.endsWith("]")) host = host.substring(1, host.length() - 1);
        try {
            int port = named ? Integer.parseInt(text.substring(colon + 1)) : PORT;
            if (!host.isBlank() && port >= 0 && port <= PORT_MAX) return new AgentAddress(host, port);
        } catch (NumberFormatException e) {
            // Refused below.
        }
        throw new IllegalArgumentException(
                "%s must be host or host:port, but is '%s'; without a port it is %d.".formatted(option, text, PORT));
    }

    /** Looks the name up. */
    InetSocketAddress resolved() throws IOException {
        return new InetSocketAddress(InetAddress.getByName(host), port);
    }

    @Override
    public String toString() {
        return (host.contains(":") ? "[" + host + "]" : host) + ":" + port;
    }
}
