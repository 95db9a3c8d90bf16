package io.alphaomega.omega.spring.observe;

import io.alphaomega.protocol.v1.Callback;
import java.time.Clock;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps in mind what of sagas runs in this instance, besides what else observes it. */
public final class InFlightWork implements Observations {
    private final Map<Observed, Run> runs = new ConcurrentHashMap<>();
    private final Supplier<Observations> others;
    private final Clock clock;

    /** @param others looked up at the first run, when everything it needs is there */
    public InFlightWork(Supplier<Observations> others, Clock clock) {
        this.others = others;
        this.clock = clock;
    }

    /** What runs. */
    public enum Kind {
        SAGA,
        BRANCH,
        CALLBACK
    }

    /**
     * One run.
     *
     * @param operation that of the saga or of the branch, or the callback's name
     * @param branch empty if it is the saga
     */
    public record Run(Kind kind, String saga, String branch, String operation, Instant since) {}

    public int count() {
        return runs.size();
    }

    /** The oldest runs, the oldest first. */
    public List<Run> oldest(int limit) {
        return runs.values().stream()
                .sorted(Comparator.comparing(Run::since))
                .limit(limit)
                .toList();
    }

    @Override
    public Observed saga(String operation, String saga) {
        return begin(Kind.SAGA, saga, "", operation, others.get().saga(operation, saga));
    }

    @Override
    public Observed branch(String operation, String saga, String branch) {
        return begin(Kind.BRANCH, saga, branch, operation, others.get().branch(operation, saga, branch));
    }

    @Override
    public Observed callback(Callback callback) {
        Observed other = others.get().callback(callback);
        return begin(Kind.CALLBACK, callback.getSaga(), callback.getBranch(), callback.getName(), other);
    }

    @Override
    public String traceparent() {
        return others.get().traceparent();
    }

    private Observed begin(Kind kind, String saga, String branch, String operation, Observed other) {
        Observed observed = new Remembered(other);
        runs.put(observed, new Run(kind, saga, branch, operation, clock.instant()));
        return observed;
    }

    /** Forgets the run when it is closed. */
    private final class Remembered implements Observed {
        private final Observed other;

        Remembered(Observed other) {
            this.other = other;
        }

        @Override
        public void ended(String outcome) {
            other.ended(outcome);
        }

        @Override
        public void threw(Throwable thrown) {
            other.threw(thrown);
        }

        @Override
        public void leave() {
            other.leave();
        }

        @Override
        public Runnable enter() {
            return other.enter();
        }

        @Override
        public @Nullable Object handedOver() {
            return other.handedOver();
        }

        @Override
        public void close() {
            runs.remove(this);
            other.close();
        }
    }
}
