package io.alphaomega.saga.simulation;

import java.util.Optional;
import java.util.stream.LongStream;

/** What the simulation says of the rules beside which it is loaded. */
final class FirstFailure {
    /** Sound rules pass them in seconds; every planted bug is caught long before. */
    private static final int HISTORIES = 20_000;

    private FirstFailure() {}

    /** How a promise was broken in some history; empty if none was. */
    static Optional<String> ofMany() {
        return among(HISTORIES);
    }

    static Optional<String> ofFew() {
        return among(HISTORIES / 10);
    }

    private static Optional<String> among(int histories) {
        Reached reached = new Reached();
        return LongStream.range(0, histories)
                .parallel()
                .mapToObj(seed -> {
                    try {
                        Deployment.live(seed, reached);
                        return Optional.<String>empty();
                    } catch (BrokenPromiseError broken) {
                        return Optional.of(String.valueOf(broken.getMessage()));
                    }
                })
                .filter(Optional::isPresent)
                .findAny()
                .flatMap(failure -> failure);
    }
}
