package io.alphaomega.omega.stream;

import java.time.Instant;
import java.util.Locale;

/**
 * How the connection to one alpha stands.
 *
 * @param address as configured, with the IP address it was resolved to
 * @param node what alpha calls itself; empty unless connected
 * @param since when this state began
 * @param lastError of this address, empty if there was none
 */
public record AlphaStatus(String address, State state, String node, Instant since, String lastError) {

    /** The states of a connection. */
    public enum State {
        /** Enough others are connected. */
        STANDBY,
        CONNECTING,
        CONNECTED,
        /** Alpha takes no new inputs on it; what is under way is finished. */
        LEAVING,
        /** Waits before it tries again. */
        DISCONNECTED
    }

    @Override
    public String toString() {
        return address + " " + state.name().toLowerCase(Locale.ROOT) + " since " + since
                + (lastError.isEmpty() ? "" : ", last error: " + lastError);
    }
}
