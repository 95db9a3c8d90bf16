package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.FromAlpha;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.server.AlphaProcess;
import java.time.Duration;
import java.util.UUID;
import java.util.stream.Stream;

/** Callers that begin two thousand sagas a second, whatever becomes of them. */
final class Flood implements AutoCloseable {
    /** For each answer of a store that stores 256 appends at once in two lanes: some 700 a second. */
    static final Duration TOO_SLOW = Duration.ofMillis(700);

    private static final int CALLERS = 4;
    private static final int AT_ONCE = 50;
    private static final long EVERY_MILLIS = 100;

    /** Together more than the queue takes. */
    private static final int UNANSWERED_MAX = 2_500;

    private final Rounds rounds = new Rounds(CALLERS);

    private static final class Caller implements Runnable {
        private final TestOmega omega;
        private int unanswered;

        Caller(AlphaProcess alpha) {
            omega = TestOmega.welcomed(
                    AnsweringOmega.port(alpha), "booking", UUID.randomUUID().toString());
        }

        @Override
        public void run() {
            for (FromAlpha told = omega.acks.poll(); told != null; told = omega.acks.poll()) {
                unanswered -= told.getAcks().getAcksCount();
            }
            if (unanswered > UNANSWERED_MAX) return;
            omega.send(
                    Stream.generate(() -> TestOmega.begin(1, UUID.randomUUID().toString()))
                            .limit(AT_ONCE)
                            .toArray(Input[]::new));
            unanswered += AT_ONCE;
        }
    }

    private final Caller[] callers;

    Flood(AlphaProcess alpha) {
        callers = Stream.generate(() -> new Caller(alpha)).limit(CALLERS).toArray(Caller[]::new);
        for (Caller caller : callers) rounds.every(EVERY_MILLIS, caller);
    }

    @Override
    public void close() {
        try {
            rounds.close();
        } finally {
            for (Caller caller : callers) caller.omega.close();
        }
    }
}
