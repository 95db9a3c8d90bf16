package io.alphaomega.samples.booking.processes;

import tools.jackson.databind.JsonNode;

/** What a service answered; {@code status} is 0 if it did not. */
record Answer(int status, JsonNode body) {
    /** The saga of the trip, or "" if the answer does not name one. */
    String saga() {
        return body.path("saga").asString("");
    }

    /** The sentence of a problem detail, or "". */
    String detail() {
        return body.path("detail").asString("");
    }
}
