package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.FromAlpha;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

/** A service that makes eighty trips a second if it can, each a saga of one branch, and takes every fifth back. */
final class Trips implements AutoCloseable {
    private static final int INSTANCES = 4;
    private static final long EVERY_MILLIS = 50;
    private static final int ABORTED_OF = 5;

    private final Rounds rounds = new Rounds(INSTANCES);
    private final long since = System.nanoTime();
    private final LongAdder made = new LongAdder();
    private final List<Instance> instances;

    private final class Instance implements Runnable {
        private final TestOmega omega;
        private int number;

        Instance(int port) {
            omega = TestOmega.welcomed(port, "trips", UUID.randomUUID().toString());
        }

        @Override
        public void run() {
            String saga = UUID.randomUUID().toString();
            omega.ask(TestOmega.begin(1, saga));
            omega.run(saga, "trip");
            boolean aborted = ++number % ABORTED_OF == 0;
            Ack ack = omega.ask(aborted ? TestOmega.abort(2, saga) : TestOmega.end(2, saga, true));
            for (FromAlpha asked = omega.callbacks.poll(); asked != null; asked = omega.callbacks.poll()) {
                Callback callback = asked.getCallback();
                omega.succeed(callback);
            }
            if (aborted ? !ack.hasUnavailable() : ack.hasCommitted()) made.increment();
        }
    }

    Trips(int port) {
        instances = Stream.generate(() -> new Instance(port)).limit(INSTANCES).toList();
        for (Instance each : instances) rounds.every(EVERY_MILLIS, each);
    }

    /** Whether it has done so for that time. */
    boolean lasted(Duration time) {
        return System.nanoTime() - since > time.toNanos();
    }

    long made() {
        return made.sum();
    }

    @Override
    public void close() {
        try {
            rounds.close();
        } finally {
            instances.forEach(each -> each.omega.close());
        }
    }
}
