package io.alphaomega.omega;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One attempt at a callback, as a {@link CallbackInterceptor} sees it. */
public final class CallbackInvocation {
    private final String saga;
    private final String branch;
    private final String name;
    private final List<@Nullable Object> arguments;
    private final Map<String, String> captured;
    private final Work next;
    private boolean proceeded;

    /** The part that an interceptor wraps. */
    public interface Work {
        void run() throws Throwable;
    }

    /** @param next the part that {@link #proceed} runs */
    public CallbackInvocation(
            String saga,
            String branch,
            String name,
            List<? extends @Nullable Object> arguments,
            Map<String, String> captured,
            Work next) {
        this.saga = saga;
        this.branch = branch;
        this.name = name;
        this.arguments = Collections.unmodifiableList(arguments);
        this.captured = Map.copyOf(captured);
        this.next = next;
    }

    public String saga() {
        return saga;
    }

    public String branch() {
        return branch;
    }

    /** The logical name of the callback, see {@link Compensable#name}. */
    public String name() {
        return name;
    }

    /** The arguments of the callback except for the result; empty if it takes none. */
    public List<@Nullable Object> arguments() {
        return arguments;
    }

    /**
     * The values that all interceptors of the service captured when the branch began; empty if that version had no
     * interceptors.
     */
    public Map<String, String> captured() {
        return captured;
    }

    /** Runs the interceptors further in, the local transaction and the callback; throws what they throw. */
    public void proceed() throws Throwable {
        if (proceeded) throw new IllegalStateException("The callback " + name + " can proceed only once.");
        proceeded = true;
        next.run();
    }
}
