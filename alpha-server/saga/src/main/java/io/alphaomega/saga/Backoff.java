package io.alphaomega.saga;

import java.time.Duration;

/**
 * The pause before the next attempt: doubling, capped, and half of it jittered, so that what failed together does not
 * come back together. The jitter is a hash, not a random number, so that the rules stay deterministic.
 *
 * @see <a href="https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/">Equal jitter: Brooker, 2015</a>
 */
final class Backoff {
    private static final int DOUBLINGS_MAX = 30;

    private Backoff() {}

    /** @param failures from 1; the first pause is {@code policy.firstDelay()} less its jitter */
    static Duration delay(CallbackPolicy policy, SagaId saga, BranchId branch, int attempt, int failures) {
        long cap = policy.maxDelay().toMillis();
        long first = policy.firstDelay().toMillis();
        int doublings = Math.min(failures - 1, DOUBLINGS_MAX);
        long full = first > cap >> doublings ? cap : first << doublings;
        long half = full / 2;
        return Duration.ofMillis(Math.max(1, half + Math.floorMod(hash(saga, branch, attempt), full - half + 1)));
    }

    /** The finalizer of MurmurHash3 over the parts: neighbours in, strangers out. */
    private static long hash(SagaId saga, BranchId branch, int attempt) {
        long h = 31L * (31L * saga.value().hashCode() + branch.value().hashCode()) + attempt;
        h = (h ^ (h >>> 33)) * 0xff51afd7ed558ccdL;
        h = (h ^ (h >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return h ^ (h >>> 33);
    }
}
