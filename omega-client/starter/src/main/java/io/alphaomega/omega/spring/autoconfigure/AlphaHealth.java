package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How omega's connections are.
 *
 * @param connected whether a stream to some alpha is up
 * @param details a clause by address
 */
record AlphaHealth(boolean connected, Map<String, Object> details) {

    static AlphaHealth of(AlphaClient alpha) {
        List<AlphaStatus> all = alpha.status();
        Map<String, Object> details = new LinkedHashMap<>();
        for (AlphaStatus status : all) {
            String error = status.lastError().isEmpty() ? "" : ": " + status.lastError();
            details.put(status.address(), status.state() + " since " + status.since() + error);
        }
        return new AlphaHealth(all.stream().anyMatch(each -> each.state() == AlphaStatus.State.CONNECTED), details);
    }
}
