package io.alphaomega.server.changes;

/**
 * The last event of a stream, as JSON.
 *
 * @param reason SAGA_ENDED or NODE_STOPS
 * @param detail a sentence
 */
record StreamEnd(String reason, String detail) {
    static StreamEnd nodeStops() {
        return new StreamEnd("NODE_STOPS", "This alpha node stops; connect again, to it or to another.");
    }

    static StreamEnd sagaEnded(SagaChange last) {
        return new StreamEnd("SAGA_ENDED", "The saga has ended as %s.".formatted(last.state()));
    }
}
