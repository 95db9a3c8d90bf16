package io.alphaomega.omega.stream;

import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How omega talks to alpha.
 *
 * @param addresses {@code host:port} of one or more alphas, or of a name that resolves to several
 * @param ackTimeout how long the end of a branch waits for alpha's answer before it goes on in the background
 * @param connectTimeout how long one attempt to connect may take, until alpha's welcome
 * @param reconnectDelayMax where the doubling delay between attempts to connect ends
 * @param unansweredInputs how many inputs may be unanswered at once, begins in three quarters of it, and beside them the
 *     ends of sagas that wait for a decision; with payloads of 64 KiB the default is 64 MiB
 * @param callbackThreads how many callbacks run at once
 * @param drainTimeout how long closing waits for running callbacks and unanswered inputs
 * @param tls asked at every connect, must not block; null for connections without TLS
 */
public record AlphaClientSettings(
        List<String> addresses,
        Duration ackTimeout,
        Duration connectTimeout,
        Duration reconnectDelayMax,
        int unansweredInputs,
        int callbackThreads,
        Duration drainTimeout,
        @Nullable Supplier<AlphaTls> tls) {

    public static final Duration ACK_TIMEOUT = Duration.ofSeconds(2);
    public static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
    public static final Duration RECONNECT_DELAY_MAX = Duration.ofSeconds(10);
    public static final int UNANSWERED_INPUTS = 1024;
    public static final int CALLBACK_THREADS = 8;
    public static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    /** More threads than this mean a misplaced digit. */
    private static final int CALLBACK_THREADS_MAX = 1024;

    /** With payloads of 64 KiB this is 4 GiB. */
    private static final int UNANSWERED_INPUTS_MAX = 65_536;

    /** Nobody waits longer for one of these. */
    private static final Duration DURATION_MAX = Duration.ofHours(1);

    public AlphaClientSettings {
        if (addresses.isEmpty()) {
            throw new IllegalArgumentException(
                    "omega.alpha.addresses must name at least one alpha as host:port but is empty");
        }
        addresses = List.copyOf(addresses);
        List<AlphaAddress> parsed = addresses.stream().map(AlphaAddress::parse).toList();
        if (tls != null && tls.get().serverName().isEmpty()) parsed.forEach(AlphaAddress::requireNameOfCertificates);
        requireDuration("omega.ack-timeout", ackTimeout);
        requireDuration("omega.alpha.connect-timeout", connectTimeout);
        requireDuration("omega.alpha.reconnect-delay-max", reconnectDelayMax);
        requireCount("omega.alpha.unanswered-inputs", unansweredInputs, UNANSWERED_INPUTS_MAX);
        requireCount("omega.callback.threads", callbackThreads, CALLBACK_THREADS_MAX);
        requireDuration("omega.drain-timeout", drainTimeout);
    }

    /** Without TLS. */
    public AlphaClientSettings(
            List<String> addresses,
            Duration ackTimeout,
            Duration connectTimeout,
            Duration reconnectDelayMax,
            int unansweredInputs,
            int callbackThreads,
            Duration drainTimeout) {
        this(
                addresses,
                ackTimeout,
                connectTimeout,
                reconnectDelayMax,
                unansweredInputs,
                callbackThreads,
                drainTimeout,
                null);
    }

    /** The same, with TLS; null for none. */
    public AlphaClientSettings withTls(@Nullable Supplier<AlphaTls> instead) {
        return new AlphaClientSettings(
                addresses,
                ackTimeout,
                connectTimeout,
                reconnectDelayMax,
                unansweredInputs,
                callbackThreads,
                drainTimeout,
                instead);
    }

    /** How many of the unanswered inputs may be begins: finished work must be told before new work is asked for. */
    int unansweredBegins() {
        return Math.max(1, unansweredInputs * 3 / 4);
    }

    /** The defaults, with these addresses. */
    public static AlphaClientSettings of(String... addresses) {
        return new AlphaClientSettings(
                List.of(addresses),
                ACK_TIMEOUT,
                CONNECT_TIMEOUT,
                RECONNECT_DELAY_MAX,
                UNANSWERED_INPUTS,
                CALLBACK_THREADS,
                DRAIN_TIMEOUT);
    }

    private static void requireDuration(String property, Duration value) {
        if (value.isNegative() || value.isZero() || value.compareTo(DURATION_MAX) > 0) {
            throw new IllegalArgumentException(
                    property + " must be more than 0 and at most " + DURATION_MAX + " but is " + value);
        }
    }

    private static void requireCount(String property, int value, int max) {
        if (value < 1 || value > max) {
            throw new IllegalArgumentException(property + " must be from 1 to " + max + " but is " + value);
        }
    }
}
