package io.alphaomega.server.saga;

import io.alphaomega.saga.SagaId;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The sagas whose journal this node could not read when it last tried, each with a sentence that says why. */
public final class UnreadableSagas {
    /** They are for people to look at one by one; more than this is a broken store, not broken sagas. */
    static final int REMEMBERED_MAX = 10_000;

    private final Map<SagaId, String> sentences = new ConcurrentHashMap<>();

    public void add(SagaId saga, String sentence) {
        if (sentences.size() < REMEMBERED_MAX) sentences.put(saga, sentence);
    }

    void remove(SagaId saga) {
        sentences.remove(saga);
    }

    /** Why the saga cannot be read, if it cannot. */
    public Optional<String> sentence(SagaId saga) {
        return Optional.ofNullable(sentences.get(saga));
    }

    public Map<SagaId, String> all() {
        return Map.copyOf(sentences);
    }

    public int count() {
        return sentences.size();
    }
}
