package io.alphaomega.server.saga;

import io.alphaomega.saga.SagaId;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The sagas whose journal this node could not read when it last tried, each with a sentence that says why. */
public final class UnreadableSagas {
    /** They are for people to look at one by one; more than this is a broken store, not broken sagas. */
    static final int REMEMBERED_MAX = 10_000;

    /**
     * A saga that has left memory may be another node's by now, or mended, and nobody tells. One that is due is tried
     * again every half minute.
     */
    static final Duration REMEMBERED_FOR = Duration.ofMinutes(5);

    private final Map<SagaId, Tried> sagas = new ConcurrentHashMap<>();
    private final Clock clock;

    private record Tried(String sentence, Instant at) {}

    public UnreadableSagas(Clock clock) {
        this.clock = clock;
    }

    public void add(SagaId saga, String sentence) {
        Tried tried = new Tried(sentence, clock.instant());
        if (sagas.replace(saga, tried) == null && sagas.size() < REMEMBERED_MAX) sagas.put(saga, tried);
    }

    void remove(SagaId saga) {
        sagas.remove(saga);
    }

    /** Why the saga cannot be read, if it cannot. */
    public Optional<String> sentence(SagaId saga) {
        return Optional.ofNullable(sagas.get(saga)).filter(this::isFresh).map(Tried::sentence);
    }

    public Map<SagaId, String> all() {
        forget();
        return sagas.entrySet().stream()
                .collect(Collectors.toUnmodifiableMap(
                        Map.Entry::getKey, tried -> tried.getValue().sentence()));
    }

    public int count() {
        forget();
        return sagas.size();
    }

    private void forget() {
        sagas.values().removeIf(tried -> !isFresh(tried));
    }

    private boolean isFresh(Tried tried) {
        return clock.instant().isBefore(tried.at().plus(REMEMBERED_FOR));
    }
}
