package io.alphaomega.server.console;

import io.alphaomega.server.coverage.Coverage;
import io.alphaomega.server.coverage.Coverage.Looked;
import java.time.Instant;

/** Which callbacks have run lately. */
record CoveragePage(Instant now, Coverage coverage) {
    /** What was looked at, in words. */
    String looked(Words words) {
        String undone = coverage.undone().sagas() == 0
                ? words.say("coverage.undone.none")
                : looked(words, coverage.undone(), "coverage.undone.all", "coverage.undone.youngest");
        if (coverage.committed().sagas() == 0) return words.say("coverage.looked", undone);
        String committed = looked(words, coverage.committed(), "coverage.committed.all", "coverage.committed.youngest");
        return words.say("coverage.looked.both", undone, committed);
    }

    private String looked(Words words, Looked looked, String all, String youngest) {
        String sagas = words.count(looked.all() ? all : youngest, looked.sagas());
        return looked.since()
                .map(since -> words.say("coverage.since", sagas, words.since(since, now)))
                .orElse(sagas);
    }
}
