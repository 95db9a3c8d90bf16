package io.alphaomega.server.http;

import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.properties.AlphaProperties;
import io.alphaomega.server.queries.SagaReader;
import io.alphaomega.server.saga.Sagas;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Intervening in sagas. JSON only, so that no form on another site can send an order through a person's browser. */
@RestController
@RequestMapping(path = "/api/v1/sagas/{id}", consumes = MediaType.APPLICATION_JSON_VALUE)
class OrdersController {
    /** The header that says who orders; believed, because there is no authentication yet. */
    static final String OPERATOR = "X-Operator";

    static final String SOMEBODY = "operator";

    /** Longer than a store's worst pause that is not an outage. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(10);

    private final Sagas sagas;
    private final SagaReader reader;
    private final boolean sequenceRequired;

    OrdersController(Sagas sagas, SagaReader reader, AlphaProperties properties) {
        this.sagas = sagas;
        this.reader = reader;
        this.sequenceRequired = properties.orders().requireSequence();
    }

    /**
     * The answer to an order that was carried out, now or when it came before, as JSON: it is journaled.
     *
     * @param saga its id
     * @param order retry, skip, resolve or abort
     */
    record Done(String saga, String order) {}

    /** Has callbacks asked again that were given up on, or that wait for their next attempt. */
    @PostMapping("/retry")
    CompletionStage<Done> retry(
            @PathVariable String id,
            @RequestHeader(name = OPERATOR, defaultValue = SOMEBODY) String who,
            @RequestBody OperatorOrder order) {
        Operator operator = order.operator(who);
        return carryOut(id, "retry", order, sequence -> new SagaInput.Retry(operator, sequence));
    }

    /** Takes for done what a person has done by hand instead of a callback of one branch. */
    @PostMapping("/skip")
    CompletionStage<Done> skip(
            @PathVariable String id,
            @RequestHeader(name = OPERATOR, defaultValue = SOMEBODY) String who,
            @RequestBody OperatorOrder order) {
        Operator operator = order.operator(who);
        var branch = order.branchId();
        return carryOut(id, "skip", order, sequence -> new SagaInput.Skip(operator, sequence, branch));
    }

    /** Ends a suspended saga whose every branch a person has settled by hand; nothing more is called. */
    @PostMapping("/resolve")
    CompletionStage<Done> resolve(
            @PathVariable String id,
            @RequestHeader(name = OPERATOR, defaultValue = SOMEBODY) String who,
            @RequestBody OperatorOrder order) {
        Operator operator = order.operator(who);
        var outcome = order.wantedOutcome();
        return carryOut(id, "resolve", order, sequence -> new SagaInput.Resolve(operator, sequence, outcome));
    }

    /** Aborts a saga that is active; what is done of it is undone. */
    @PostMapping("/abort")
    CompletionStage<Done> abort(
            @PathVariable String id,
            @RequestHeader(name = OPERATOR, defaultValue = SOMEBODY) String who,
            @RequestBody OperatorOrder order) {
        Operator operator = order.operator(who);
        return carryOut(id, "abort", order, sequence -> new SagaInput.AbortByOperator(operator, sequence));
    }

    private CompletionStage<Done> carryOut(
            String id, String name, OperatorOrder order, Function<Long, SagaInput> input) {
        SagaId saga = SagaReader.id(id);
        Long seen = order.sequence();
        if (seen == null && sequenceRequired) throw Problems.sequenceRequired(id);
        long sequence = seen == null ? reader.sequence(saga) : seen;
        if (sequence == 0) throw Problems.unknownSaga(id);
        return sagas.ask(saga, input.apply(sequence), ANSWER_WITHIN).thenApply(reply -> {
            if (!(reply instanceof Reply.Rejected rejected)) return new Done(id, name);
            if (rejected.reason() == Refusal.UNKNOWN_SAGA) throw Problems.unknownSaga(id);
            throw Problems.refused(rejected.reason(), rejected.text());
        });
    }
}
