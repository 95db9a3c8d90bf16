package io.alphaomega.server.console;

import io.alphaomega.server.coverage.Coverage;
import io.alphaomega.server.coverage.Coverage.Looked;
import java.time.Instant;

/** Which callbacks have run lately. */
record CoveragePage(Instant now, Coverage coverage) {
    /** What was looked at, in words. */
    static String looked(Looked looked, String what, Instant now) {
        if (looked.sagas() == 0) return "no saga that was " + what;
        String youngest = looked.all() ? "all " : "the youngest ";
        return youngest + Words.plural(looked.sagas(), "saga", "sagas") + " that "
                + (looked.sagas() == 1 ? "was " : "were ")
                + what
                + looked.since()
                        .map(since -> ", begun within the last " + Words.since(since, now))
                        .orElse("");
    }
}
