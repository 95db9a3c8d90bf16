package io.alphaomega.omega.transport;

import io.alphaomega.omega.context.SagaCarrier;
import java.util.HashMap;
import java.util.Map;

/** A transport that omega has nothing for: the code of docs/transports.md, word for word. */
class Telegraph {
    private final SagaCarrier sagas;
    private final Stock stock;

    Telegraph(SagaCarrier sagas, Stock stock) {
        this.sagas = sagas;
        this.stock = stock;
    }

    record Telegram(Map<String, String> headers, String text) {}

    // The caller's service.

    void ask(String station, String text) {
        SagaCarrier.Call call = sagas.call("TELEGRAM " + station);
        Map<String, String> headers = new HashMap<>();
        call.inject(SagaCarrier.Headers.of(headers));
        Telegram answer = send(new Telegram(headers, text));
        call.answered(answer.headers()::get);
    }

    // The called service.

    Telegram receive(Telegram telegram) {
        Map<String, String> answer = new HashMap<>();
        sagas.serve(telegram.headers()::get, answer::put, () -> {
            stock.take(telegram.text());
            return null;
        });
        return new Telegram(answer, "taken");
    }

    /** By the wire, which knows nothing of the thread that sent it. */
    private Telegram send(Telegram telegram) {
        return Elsewhere.run(() -> receive(telegram));
    }
}
