package io.alphaomega.benchmark.load;

import java.util.ArrayList;
import java.util.List;

/** What became of each saga of a lane, a byte each. */
final class SagaOutcomes {
    /** What a saga came to. */
    enum Outcome {
        NEVER_BEGUN(0),
        LIVE(1),
        KEPT_OPEN(2),
        COMMITTED(3),
        COMPENSATED(4),
        SUSPENDED(5),
        UNKNOWN(6),
        REFUSED(7);

        /** Where it is in tables. */
        final int code;

        Outcome(int code) {
            this.code = code;
        }
    }

    private static final Outcome[] VALUES = Outcome.values();
    private static final int CHUNK = 1 << 16;

    private final List<byte[]> chunks = new ArrayList<>();

    void set(long index, Outcome outcome) {
        int chunk = (int) (index / CHUNK);
        while (chunks.size() <= chunk) chunks.add(new byte[CHUNK]);
        chunks.get(chunk)[(int) (index % CHUNK)] = (byte) outcome.code;
    }

    Outcome get(long index) {
        int chunk = (int) (index / CHUNK);
        return chunk < 0 || chunk >= chunks.size()
                ? Outcome.NEVER_BEGUN
                : VALUES[chunks.get(chunk)[(int) (index % CHUNK)]];
    }
}
