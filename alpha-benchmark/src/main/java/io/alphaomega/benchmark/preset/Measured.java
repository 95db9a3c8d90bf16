package io.alphaomega.benchmark.preset;

/**
 * What one row came to in one round.
 *
 * @param done global transactions that took effect in the time measured
 * @param commits the database server's, in that time, for business and coordinator together
 * @param statements likewise
 * @param generatorCpuMillis of this process: initiator and services
 */
record Measured(
        BusinessWork work,
        int round,
        double seconds,
        long done,
        long commits,
        long statements,
        double generatorCpuMillis) {
    double throughput() {
        return done / seconds;
    }

    double commitsPerSecond() {
        return commits / seconds;
    }

    double statementsPerSecond() {
        return statements / seconds;
    }

    double generatorCpuMillisEach() {
        return done == 0 ? 0 : generatorCpuMillis / done;
    }
}
