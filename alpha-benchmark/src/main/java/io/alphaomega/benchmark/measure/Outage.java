package io.alphaomega.benchmark.measure;

import java.time.Duration;
import java.util.List;

/**
 * What services saw while alphas were disturbed.
 *
 * @param withoutBegin the longest time in which no saga was begun anywhere
 * @param shards of each hundredth of the sagas, which alpha keeps on one node, the longest time in which
 *     something waited for an acknowledgement and none came
 * @param lost streams that broke, each time counted
 * @param missing of the streams, those that are not back
 * @param missingFor the longest time in which not all streams were there
 * @param comingBack the longest time from when the first of those lost came back until the last did
 */
public record Outage(
        Duration withoutBegin, List<Duration> shards, int lost, int missing, Duration missingFor, Duration comingBack) {
    public Outage {
        shards = List.copyOf(shards);
    }

    /** How long those shards stood still that did so for longer than that, the shortest first. */
    public List<Duration> still(Duration longerThan) {
        return shards.stream()
                .filter(each -> each.compareTo(longerThan) > 0)
                .sorted()
                .toList();
    }
}
