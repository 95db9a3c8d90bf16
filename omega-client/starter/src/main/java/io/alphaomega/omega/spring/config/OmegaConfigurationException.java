package io.alphaomega.omega.spring.config;

/** Something about the application that would make its sagas lie; it does not start. */
public final class OmegaConfigurationException extends RuntimeException {
    private final String action;

    /**
     * @param problem a sentence: which thing, what was expected, what was found
     * @param action a sentence: what to do about it
     */
    public OmegaConfigurationException(String problem, String action) {
        super(problem);
        this.action = action;
    }

    public String problem() {
        return String.valueOf(getMessage());
    }

    public String action() {
        return action;
    }
}
