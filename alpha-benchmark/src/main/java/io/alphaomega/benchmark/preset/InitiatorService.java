package io.alphaomega.benchmark.preset;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallbackResult;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/** The service that begins the global transactions: it calls two others by HTTP, one after the other. */
final class InitiatorService implements AutoCloseable {
    private static final String OPERATION = "Initiator.transfer";
    private static final int OK = 200;

    /** Nothing that works takes so long, and a run must come to an end. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(60);

    /** How a global transaction went. */
    enum Outcome {
        /** All of it took effect. */
        DONE,
        /** It failed; a saga is undone by alpha, without a coordinator it is left as it is. */
        FAILED,
        /** Alpha did not say. */
        UNKNOWN
    }

    private final URI from;
    private final URI to;
    private final OmegaReports omega;
    private final HttpClient http;
    private final SagaIds ids = new SagaIds();

    InitiatorService(List<String> alphas, URI from, URI to) {
        this.from = from;
        this.to = to;
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        omega = new OmegaReports(alphas, "benchmark-initiator", callback -> CallbackResult.getDefaultInstance());
    }

    /** Moves an amount of one from the accounts of one service to those of the other. */
    Outcome run(BusinessWork work, int firstAccount, int accounts) throws InterruptedException {
        Transfer take = new Transfer(firstAccount, accounts, -1, work.fence());
        Transfer give = new Transfer(firstAccount + accounts, accounts, 1, work.fence());
        return work.coordinated() ? saga(take, give) : bare(take, give);
    }

    private Outcome bare(Transfer take, Transfer give) throws InterruptedException {
        return called(from, "", take) && called(to, "", give) ? Outcome.DONE : Outcome.FAILED;
    }

    private Outcome saga(Transfer take, Transfer give) throws InterruptedException {
        String saga = ids.next();
        try {
            omega.beginSaga(saga, OPERATION);
            if (called(from, saga, take) && called(to, saga, give)) {
                return omega.endSaga(saga) ? Outcome.DONE : Outcome.FAILED;
            }
            omega.abortSaga(saga, "a service refused");
            return Outcome.FAILED;
        } catch (AlphaUnavailableException | OmegaReports.RefusedException e) {
            return Outcome.UNKNOWN;
        }
    }

    private boolean called(URI uri, String saga, Transfer transfer) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(ANSWER_WITHIN)
                .POST(HttpRequest.BodyPublishers.ofByteArray(transfer.encoded()));
        if (!saga.isEmpty()) {
            request.header(SagaHeaders.SAGA, saga)
                    .header(SagaHeaders.BRANCH, saga)
                    .header(SagaHeaders.CALL, UUID.randomUUID().toString());
        }
        try {
            return http.send(request.build(), HttpResponse.BodyHandlers.discarding())
                            .statusCode()
                    == OK;
        } catch (IOException e) {
            return false;
        }
    }

    @Override
    public void close() {
        http.close();
        omega.close();
    }
}
