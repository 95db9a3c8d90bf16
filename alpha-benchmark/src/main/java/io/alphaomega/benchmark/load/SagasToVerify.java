package io.alphaomega.benchmark.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The sagas of a lane that alpha is asked about afterwards: every one that went otherwise than planned, and a sample. */
final class SagasToVerify {
    /** Each is one request; ten thousand take some seconds. */
    static final int ODD_MAX = 10_000;

    static final int SAMPLE = 200;

    private final Random random;
    private final List<Long> odd = new ArrayList<>();
    private final List<Long> sample = new ArrayList<>();
    private long seen;

    SagasToVerify(long seed) {
        random = new Random(seed);
    }

    void odd(long ordinal) {
        if (odd.size() < ODD_MAX) odd.add(ordinal);
    }

    /** Or may be: not all of very many are kept. */
    boolean isOdd(long ordinal) {
        return odd.size() == ODD_MAX || odd.contains(ordinal);
    }

    /** Keeps each of those seen so far with equal chance. */
    void sample(long ordinal) {
        seen++;
        if (sample.size() < SAMPLE) {
            sample.add(ordinal);
            return;
        }
        long place = random.nextLong(seen);
        if (place < SAMPLE) sample.set((int) place, ordinal);
    }

    List<Long> odd() {
        return List.copyOf(odd);
    }

    List<Long> sample() {
        return List.copyOf(sample);
    }
}
