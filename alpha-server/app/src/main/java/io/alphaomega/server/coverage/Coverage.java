package io.alphaomega.server.coverage;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Which callbacks have run lately.
 *
 * @param asOf when it was looked
 * @param silent addresses of nodes that did not answer: what is offered to them alone is missing
 * @param undone the sagas that were compensated and looked at, the youngest
 * @param committed the same of those that were committed, which may have been confirmed
 * @param callbacks that are offered now or have run in one of these sagas; those that have not run first
 */
public record Coverage(Instant asOf, List<String> silent, Looked undone, Looked committed, List<Covered> callbacks) {
    /**
     * What was looked at.
     *
     * @param since when the oldest of them began; empty if there are none
     * @param all whether these are all that are stored
     */
    public record Looked(int sagas, Optional<Instant> since, boolean all) {}

    /**
     * A callback of a service.
     *
     * @param offered whether an instance that is connected can run it
     * @param runs in how many branches it has succeeded
     * @param last when it last did
     */
    public record Covered(String service, String name, boolean offered, int runs, Optional<Instant> last) {
        public boolean hasRun() {
            return runs > 0;
        }
    }

    public long missing() {
        return callbacks.stream().filter(callback -> !callback.hasRun()).count();
    }
}
