package io.alphaomega.benchmark.preset;

import io.alphaomega.omega.AlphaUnavailableException;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.protocol.v1.CallReports;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Carried;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

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
    private final NewSagaIds ids = new NewSagaIds();

    InitiatorService(List<String> alphas, URI from, URI to) {
        this.from = from;
        this.to = to;
        http = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        omega = new OmegaReports(alphas, "benchmark-initiator", callback -> CallbackResult.getDefaultInstance());
    }

    /** Moves an amount of one from the accounts of one service to those of the other. */
    Outcome run(BusinessWork work, int firstAccount, int accounts) throws InterruptedException {
        TransferPayload take = new TransferPayload(firstAccount, accounts, -1, work.fence());
        TransferPayload give = new TransferPayload(firstAccount + accounts, accounts, 1, work.fence());
        return work.coordinated() ? saga(take, give) : bare(take, give);
    }

    private Outcome bare(TransferPayload take, TransferPayload give) throws InterruptedException {
        return called(from, null, take) && called(to, null, give) ? Outcome.DONE : Outcome.FAILED;
    }

    private Outcome saga(TransferPayload take, TransferPayload give) throws InterruptedException {
        Saga saga = new Saga(ids.next(), omega.begin(OPERATION));
        try {
            if (called(from, saga, take) && called(to, saga, give)) {
                return omega.endSaga(saga.id, saga.untold()) ? Outcome.DONE : Outcome.FAILED;
            }
            omega.abortSaga(saga.id, saga.untold(), "a service refused");
            return Outcome.FAILED;
        } catch (AlphaUnavailableException | OmegaReports.RefusedException e) {
            return Outcome.UNKNOWN;
        }
    }

    /** One that was begun here, and what alpha has not been told of it. */
    private static final class Saga {
        private final String id;
        private final Carried begin;
        private CallReports brought = CallReports.getDefaultInstance();

        Saga(String id, Carried begin) {
            this.id = id;
            this.begin = begin;
        }

        String goesAlong() {
            return SagaHeaders.encoded(brought.toBuilder()
                    .setReports(
                            begin.toBuilder().addAllEnded(brought.getReports().getEndedList()))
                    .setTakesEnds(true)
                    .build());
        }

        void answered(String header) {
            brought = Objects.requireNonNull(SagaHeaders.decoded(header));
        }

        Carried untold() {
            return brought.getBegun() ? brought.getReports() : begin;
        }
    }

    /** @param saga null outside of one */
    private boolean called(URI uri, @Nullable Saga saga, TransferPayload transfer) throws InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(uri)
                .timeout(ANSWER_WITHIN)
                .POST(HttpRequest.BodyPublishers.ofByteArray(transfer.encoded()));
        if (saga != null) {
            request.header(SagaHeaders.SAGA, saga.id)
                    .header(SagaHeaders.BRANCH, saga.id)
                    .header(SagaHeaders.CALL, UUID.randomUUID().toString())
                    .header(SagaHeaders.CARRIED, saga.goesAlong());
        }
        try {
            HttpResponse<Void> answer = http.send(request.build(), HttpResponse.BodyHandlers.discarding());
            if (saga != null) answer.headers().firstValue(SagaHeaders.CARRIED).ifPresent(saga::answered);
            return answer.statusCode() == OK;
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
