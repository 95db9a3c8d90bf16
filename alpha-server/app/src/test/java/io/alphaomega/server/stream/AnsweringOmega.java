package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.server.AlphaProcess;
import java.net.URI;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A service that undoes whatever it is asked to, but for some sagas of which it answers with a failure until it is mended. */
final class AnsweringOmega implements AutoCloseable {
    private final Map<String, CallbackFailure.Code> failures = new ConcurrentHashMap<>();
    private final TestOmega omega;
    private final Thread answering = Thread.ofVirtual().unstarted(this::answer);

    /** An instance of that service. */
    AnsweringOmega(AlphaProcess alpha, String service) {
        omega = of(alpha, service);
    }

    /** One that a test speaks for by itself. */
    static TestOmega of(AlphaProcess alpha, String service) {
        return TestOmega.welcomed(port(alpha), service, service + "-1");
    }

    static int port(AlphaProcess alpha) {
        return URI.create("grpc://" + alpha.grpcAddress()).getPort();
    }

    /** Begins a saga, runs a branch of it and aborts it; the service cannot undo the branch. */
    void abort(String saga, CallbackFailure.Code failure) {
        failures.put(saga, failure);
        assertThat(omega.ask(TestOmega.begin(1, saga)).hasAccepted()).isTrue();
        omega.run(saga, "room");
        omega.ask(TestOmega.abort(3, saga));
    }

    /** From now on it answers; it says nothing else any more. */
    AnsweringOmega answers() {
        answering.start();
        return this;
    }

    void mended() {
        failures.clear();
    }

    private void answer() {
        try {
            while (true) {
                Callback callback = omega.callbacks.take().getCallback();
                CallbackFailure.Code failure = failures.get(callback.getSaga());
                if (failure == null) omega.succeed(callback);
                else omega.fail(callback, failure);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        answering.interrupt();
        omega.close();
    }
}
