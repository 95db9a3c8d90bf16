package io.alphaomega.omega.test;

import java.io.Serial;

/** Thrown by a {@link TestAlpha#fail planned failure}, unless another exception was given. */
public final class PlannedFailureException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1;

    PlannedFailureException(String sentence) {
        super(sentence);
    }
}
