package io.alphaomega.server.http;

import io.alphaomega.server.queries.SagaReader;
import io.alphaomega.server.queries.WhatIf;
import io.alphaomega.server.queries.WhatIfRequest;
import io.alphaomega.server.text.Texts;
import java.time.Clock;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** What would happen to a saga, if; nothing does. */
@RestController
class WhatIfController {
    private final SagaReader sagas;
    private final Clock clock;

    WhatIfController(SagaReader sagas, Clock clock) {
        this.sagas = sagas;
        this.clock = clock;
    }

    /**
     * Says what the rules would make of an input that is only supposed: what would be journaled and who would be called.
     * They run on a copy of the saga's history: nothing is stored, and nobody is called.
     */
    @PostMapping(path = "/api/v1/sagas/{id}/what-if", consumes = MediaType.APPLICATION_JSON_VALUE)
    WhatIf whatIf(@PathVariable String id, @RequestBody WhatIfRequest supposed) {
        return sagas.whatIf(SagaReader.id(id), supposed, clock.instant(), Texts.ENGLISH)
                .answer();
    }
}
