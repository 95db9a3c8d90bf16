package io.alphaomega.benchmark.agent;

import java.io.Serial;

/** An agent did not do its share, so there is no result. The message is a sentence that names it, and what to do. */
public final class AgentFailedException extends Exception {
    @Serial
    private static final long serialVersionUID = 1;

    AgentFailedException(String message) {
        super(message);
    }
}
