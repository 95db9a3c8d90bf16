package io.alphaomega.omega.fence;

/** The business's script has raised an error at Redis, which takes back nothing of what was written before it. */
public final class ScriptFailedException extends RuntimeException {
    private final boolean wrote;

    ScriptFailedException(String message, boolean wrote) {
        super(message);
        this.wrote = wrote;
    }

    /**
     * Whether it may have written before: then it is half done, and its row says so for ever. If not, it has left nothing,
     * no row either.
     */
    public boolean wrote() {
        return wrote;
    }
}
