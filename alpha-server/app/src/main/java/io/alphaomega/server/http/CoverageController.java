package io.alphaomega.server.http;

import io.alphaomega.server.coverage.Coverage;
import io.alphaomega.server.coverage.Coverage.Covered;
import io.alphaomega.server.coverage.Coverage.Looked;
import io.alphaomega.server.coverage.CoverageReader;
import io.alphaomega.server.queries.InsightReader;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Which callbacks have run lately, and which have not. */
@RestController
class CoverageController {
    private final InsightReader insights;
    private final CoverageReader coverage;

    CoverageController(InsightReader insights, CoverageReader coverage) {
        this.insights = insights;
        this.coverage = coverage;
    }

    /**
     * Coverage as JSON.
     *
     * @param asOf when it was looked
     * @param silent addresses of nodes that did not answer in time: what is offered to them alone is missing
     * @param undone the sagas that were compensated and looked at
     * @param committed those that were committed and looked at; none unless a callback has not run in the others
     * @param missing how many of the callbacks have not run in these sagas
     * @param callbacks those that have not run first
     */
    record CoverageList(
            Instant asOf,
            List<String> silent,
            LookedRow undone,
            LookedRow committed,
            long missing,
            List<CallbackRow> callbacks) {
        static CoverageList of(Coverage coverage) {
            return new CoverageList(
                    coverage.asOf(),
                    coverage.silent(),
                    LookedRow.of(coverage.undone()),
                    LookedRow.of(coverage.committed()),
                    coverage.missing(),
                    coverage.callbacks().stream().map(CallbackRow::of).toList());
        }
    }

    /**
     * The sagas that were looked at, as JSON.
     *
     * @param sagas how many they are
     * @param since when the oldest of them began; null if there are none
     * @param all whether these are all that are stored
     */
    record LookedRow(int sagas, @Nullable Instant since, boolean all) {
        static LookedRow of(Looked looked) {
            return new LookedRow(looked.sagas(), looked.since().orElse(null), looked.all());
        }
    }

    /**
     * A callback of a service, as JSON.
     *
     * @param service that runs it
     * @param name of the callback, as the service offers it
     * @param offered whether an instance that is connected can run it
     * @param runs in how many branches it has succeeded
     * @param last when it last did; null if it has not
     */
    record CallbackRow(
            String service,
            String name,
            boolean offered,
            int runs,
            @Nullable Instant last) {
        static CallbackRow of(Covered callback) {
            return new CallbackRow(
                    callback.service(),
                    callback.name(),
                    callback.offered(),
                    callback.runs(),
                    callback.last().orElse(null));
        }
    }

    /**
     * Says which callbacks have run in the youngest sagas that were compensated or committed, and which that services offer
     * have not. The journals are looked at once a minute at most.
     */
    @GetMapping("/api/v1/coverage")
    CoverageList coverage() {
        return CoverageList.of(coverage.coverage(insights.read()));
    }
}
