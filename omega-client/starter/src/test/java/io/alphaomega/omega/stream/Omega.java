package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** What the tests of the client have in common. */
final class Omega {
    static final Duration PATIENCE = Patience.LIMIT;
    static final CallbackResult SUCCESS = CallbackResult.getDefaultInstance();

    private Omega() {}

    static AlphaClient connected(ScriptedAlpha... alphas) {
        return connected(AlphaClientSettings.UNANSWERED_INPUTS, alphas);
    }

    static AlphaClient connected(int unansweredInputs, ScriptedAlpha... alphas) {
        return started(settings(unansweredInputs, addresses(alphas)), callback -> SUCCESS);
    }

    static AlphaClient started(AlphaClientSettings settings, CallbackHandler handler) {
        return started(settings, handler, new Resolver(settings.addresses()));
    }

    static AlphaClient started(AlphaClientSettings settings, CallbackHandler handler, Resolver resolver) {
        Hello hello = Hello.newBuilder()
                .setService("booking")
                .setInstance("booking-1")
                .setVersion("1.0")
                .addCallbacks("cancel")
                .build();
        AlphaClient client = new AlphaClient(settings, () -> hello, handler, resolver);
        client.start();
        return client;
    }

    static String[] addresses(ScriptedAlpha... alphas) {
        return Stream.of(alphas).map(ScriptedAlpha::address).toArray(String[]::new);
    }

    static AlphaClientSettings settings(int unansweredInputs, String... addresses) {
        return new AlphaClientSettings(
                List.of(addresses),
                AlphaClientSettings.ACK_TIMEOUT,
                Duration.ofSeconds(5),
                Duration.ofSeconds(1),
                unansweredInputs,
                4,
                Duration.ofSeconds(10));
    }

    static Input begin(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setBegin(BeginSaga.newBuilder().setOperation("book"))
                .build();
    }

    static Input endAndWait(String saga) {
        return Input.newBuilder()
                .setSaga(saga)
                .setEnd(EndSaga.newBuilder().setWait(true))
                .build();
    }

    static List<String> sagas(int count) {
        return Stream.iterate(0, i -> i + 1).limit(count).map(i -> "saga-" + i).toList();
    }
}
