package io.alphaomega.omega.spring;

/** Something about the application that would make its sagas lie; it does not start. */
final class OmegaConfigurationException extends RuntimeException {
    private final String action;

    /**
     * @param problem a sentence: which thing, what was expected, what was found
     * @param action a sentence: what to do about it
     */
    OmegaConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    String problem() {
        return String.valueOf(getMessage());
    }

    String action() {
        return action;
    }
}
