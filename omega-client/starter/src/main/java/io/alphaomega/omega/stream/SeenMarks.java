package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.StoreMark;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far alpha's store had come by what this instance was told: the last mark of each run of a node. An alpha whose store
 * lacks one of them knows by it that the store was set back to an earlier time.
 */
final class SeenMarks {
    /** Of the runs that were told of last. A rolling restart of a large cluster has fewer. */
    static final int RUNS_MAX = 32;

    private final Map<String, StoreMark> byRun = new LinkedHashMap<>();

    /** Over several streams to one node, an earlier one may be heard after a later one. */
    synchronized void heard(StoreMark mark) {
        StoreMark before = byRun.get(mark.getRun());
        if (before != null && Long.compareUnsigned(before.getNumber(), mark.getNumber()) >= 0) return;
        byRun.remove(mark.getRun());
        byRun.put(mark.getRun(), mark);
        if (byRun.size() > RUNS_MAX) {
            StoreMark oldest = Collections.min(byRun.values(), Comparator.comparingLong(StoreMark::getAtMillis));
            byRun.remove(oldest.getRun());
        }
    }

    synchronized List<StoreMark> all() {
        return List.copyOf(byRun.values());
    }
}
