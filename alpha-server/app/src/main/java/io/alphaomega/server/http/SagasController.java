package io.alphaomega.server.http;

import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.queries.Counts;
import io.alphaomega.server.queries.ListRequest;
import io.alphaomega.server.queries.SagaDetail;
import io.alphaomega.server.queries.SagaList;
import io.alphaomega.server.queries.SagaReader;
import java.time.Clock;
import org.springframework.util.MultiValueMap;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Looking at sagas. */
@RestController
@RequestMapping("/api/v1")
class SagasController {
    private final SagaReader sagas;
    private final Clock clock;

    SagasController(SagaReader sagas, Clock clock) {
        this.sagas = sagas;
        this.clock = clock;
    }

    /** Lists sagas, the youngest first, in pages. */
    @GetMapping("/sagas")
    SagaList list(@RequestParam MultiValueMap<String, String> parameters) {
        return sagas.list(ListRequest.of(parameters, clock.instant()));
    }

    /** Shows everything about one saga but the content of payloads. */
    @GetMapping("/sagas/{id}")
    SagaDetail detail(@PathVariable String id) {
        return sagas.detail(SagaReader.id(id)).orElseThrow(() -> Problems.unknownSaga(id));
    }

    /** Counts the sagas in each state, those that ended included. */
    @GetMapping("/counts")
    Counts counts() {
        return sagas.counts();
    }
}
