package io.alphaomega.omega.stream;

import io.alphaomega.omega.stream.AlphaStatus.State;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One alpha as far as the client can tell: a socket address that a configured address was resolved to. */
final class Endpoint {
    final AlphaAddress address;
    final InetSocketAddress socket;

    /** The stream that inputs are given to, or that will be; not one that is leaving. */
    @Nullable
    AlphaStream stream;

    /** Whether its name, or the registry, still leads to it. */
    boolean listed = true;

    /** Attempts since the last connection that lasted. */
    int failures;

    /** When it may be tried again, by {@link System#nanoTime}. */
    long notBefore;

    private State state = State.STANDBY;
    private Instant since;
    private String node = "";
    private String version = "";
    private String lastError = "";

    /** Troubles that the log has since the last connection. */
    private final Set<String> told = new HashSet<>();

    Endpoint(AlphaAddress address, InetSocketAddress socket, long nanoTime, Instant now) {
        this.address = address;
        this.socket = socket;
        this.notBefore = nanoTime;
        this.since = now;
    }

    String label() {
        if (socket.isUnresolved()) return address.toString();
        String ip = socket.getAddress().getHostAddress();
        if (address.isService()) return address + " (" + new AlphaAddress(ip, socket.getPort()) + ")";
        return ip.equals(address.host()) ? address.toString() : address + " (" + ip + ")";
    }

    State state() {
        return state;
    }

    /** What is neither standby nor connected is away: trying and waiting in turns does not begin it anew. */
    void become(State next, Instant now) {
        boolean stillAway = isAway(state) && isAway(next);
        if (next != state && !stillAway) since = now;
        if (next != State.CONNECTED && next != State.LEAVING) {
            node = "";
            version = "";
        }
        state = next;
    }

    void connected(String name, String itsVersion, Instant now) {
        become(State.CONNECTED, now);
        node = name;
        version = itsVersion;
        told.clear();
    }

    void failed(String error) {
        lastError = error;
    }

    /** Whether the log has not had this trouble since the last connection; from now on it has. */
    boolean isNews(String trouble) {
        return told.add(trouble);
    }

    /** What alpha is, in its own words; empty unless connected. */
    String version() {
        return version;
    }

    AlphaStatus status() {
        return new AlphaStatus(label(), state, node, since, lastError);
    }

    private static boolean isAway(State state) {
        return state == State.CONNECTING || state == State.DISCONNECTED;
    }
}
