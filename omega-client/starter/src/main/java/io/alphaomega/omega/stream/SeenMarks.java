package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.StoreMark;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How far alpha's store had come by what this instance was told: the last mark of each run of a node. An alpha whose store
 * lacks one of them knows by it that the store was set back to an earlier time. It lives on the loop.
 */
final class SeenMarks {
    /** Of the runs that were told of last. A rolling restart of a large cluster has fewer. */
    static final int RUNS_MAX = 32;

    private final Map<String, StoreMark> byRun = new LinkedHashMap<>();

    /** Over several streams to one node, an earlier one may be heard after a later one. */
    void heard(StoreMark mark) {
        StoreMark before = byRun.remove(mark.getRun());
        if (before == null || Long.compareUnsigned(before.getNumber(), mark.getNumber()) < 0) {
            byRun.put(mark.getRun(), mark);
        } else {
            byRun.put(mark.getRun(), before);
        }
        if (byRun.size() > RUNS_MAX) byRun.remove(byRun.keySet().iterator().next());
    }

    List<StoreMark> all() {
        return List.copyOf(byRun.values());
    }
}
