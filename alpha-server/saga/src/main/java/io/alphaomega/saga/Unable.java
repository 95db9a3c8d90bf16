package io.alphaomega.saga;

/**
 * A build of a service that cannot run a callback: each of its instances would say the same.
 *
 * @param code what it counts as if no other build can
 * @param error what it said; a sentence for people
 */
public record Unable(String build, FailureCode code, String error) {
    public Unable {
        error = Limits.shortened(error, Limits.REASON_CHARS);
    }
}
