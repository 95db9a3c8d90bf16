package io.alphaomega.repository.redis;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Which server of a cluster has which keys, as one of them tells it by {@code CLUSTER SLOTS}. */
record ClusterSlots(List<Range> ranges) {
    /** @param host empty where the cluster does not know: then it is the host that was asked */
    record Range(long from, long to, String host, int port) {}

    /** Per range: first slot, last slot, then host, port and more of the primary, then of its replicas. */
    static ClusterSlots of(List<Object> answer) {
        List<Range> ranges = new ArrayList<>();
        for (Object each : answer) {
            List<?> range = (List<?>) each;
            List<?> primary = (List<?>) range.get(2);
            String host = primary.get(0) instanceof byte[] known ? new String(known, StandardCharsets.UTF_8) : "";
            ranges.add(new Range(
                    (Long) range.get(0),
                    (Long) range.get(1),
                    host.equals("?") ? "" : host,
                    ((Long) primary.get(1)).intValue()));
        }
        return new ClusterSlots(ranges);
    }

    Optional<Range> of(int slot) {
        return ranges.stream()
                .filter(range -> slot >= range.from() && slot <= range.to())
                .findFirst();
    }
}
