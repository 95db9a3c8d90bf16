package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.load.AlphaApi.ApiException;
import io.alphaomega.benchmark.load.AlphaApi.State;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Compares the books of all generators of a load, taken together, with how many more sagas alpha counts after it. */
public final class SagaCountCheck {
    /** A store's counts lag by a second. */
    private static final Duration AGREE_WITHIN = Duration.ofSeconds(20);

    private final List<String> http;
    private final Map<State, Long> before;

    private SagaCountCheck(List<String> http, Map<State, Long> before) {
        this.http = http;
        this.before = before;
    }

    /**
     * To be called before the first saga.
     *
     * @param http host:port of each alpha's REST
     */
    public static SagaCountCheck before(List<String> http) {
        try (AlphaApi api = new AlphaApi(http)) {
            return new SagaCountCheck(http, api.counts());
        } catch (ApiException e) {
            throw new Load.UnreachableException(e.getMessage() + " --http says where alpha answers REST");
        }
    }

    /** To be called after the last saga. */
    public Verification compare(SagaBooks books) {
        SagaAudit audit = new SagaAudit();
        long deadline = System.nanoTime() + AGREE_WITHIN.toNanos();
        try (AlphaApi api = new AlphaApi(http)) {
            Map<State, Long> after = api.counts();
            while (!SagaAudit.isShared(before)
                    && !SagaAudit.agree(before, after, books.all(), books.keptOpen())
                    && System.nanoTime() < deadline) {
                OutcomeInquiry.pause();
                after = api.counts();
            }
            audit.counts(before, after, books.all(), books.keptOpen());
        } catch (ApiException e) {
            audit.mismatch(String.valueOf(e.getMessage()));
        }
        return audit.verification();
    }
}
