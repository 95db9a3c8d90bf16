package io.alphaomega.server;

import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** The orderly end of the process after SIGTERM: exit code 0 instead of the JVM's 143, and within a time limit. */
final class Stop {
    /** Supervisors commonly kill after 30 s; this is the promise of docs/operating.md with room to spare. */
    static final Duration WITHIN = Duration.ofSeconds(25);

    private static final int OVERDUE = 2;

    private Stop() {}

    /**
     * Exits with 0 on SIGTERM; the application's shutdown hook does the work. By reflection, because the compiler warns
     * of every mention of {@code sun.misc.Signal} and cannot be told not to; the JDK has no other way to learn of a signal.
     */
    static void onTerm() {
        try {
            Class<?> signal = Class.forName("sun.misc.Signal");
            Class<?> handler = Class.forName("sun.misc.SignalHandler");
            Object exit = Proxy.newProxyInstance(
                    handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> exit());
            signal.getMethod("handle", signal, handler)
                    .invoke(null, signal.getConstructor(String.class).newInstance("TERM"), exit);
        } catch (ReflectiveOperationException e) {
            // Another JVM: it stops just as orderly, but with its own exit code.
            System.err.println("alpha cannot handle SIGTERM on this JVM and will exit with its code: " + e);
        }
    }

    private static Object exit() {
        CompletableFuture.delayedExecutor(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    System.err.println("alpha did not stop within " + WITHIN.toSeconds()
                            + " s and is killed; nothing that was acknowledged is lost.");
                    Runtime.getRuntime().halt(OVERDUE);
                });
        System.exit(0);
        return 0;
    }
}
