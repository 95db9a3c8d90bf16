package io.alphaomega.server.process;

import io.alphaomega.server.log.Announcement;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** The orderly end of the process, as after SIGTERM: before the JVM's own, with exit code 0, and within a time limit. */
public final class Stop {
    /** Supervisors commonly kill after 30 s; this is the promise of docs/operating/starting.md with room to spare. */
    public static final Duration WITHIN = Duration.ofSeconds(25);

    private static final int OVERDUE = 2;

    /** As shells say it of whoever was ended by SIGINT, the Ctrl-C of a person. */
    private static final int INTERRUPTED = 130;

    private static final AtomicReference<@Nullable ConfigurableApplicationContext> APPLICATION =
            new AtomicReference<>();

    /** Who starts the application, while it does. */
    private static final AtomicReference<@Nullable Thread> STARTER = new AtomicReference<>();

    private static volatile boolean underWay;

    private Stop() {}

    /** From now on there is something to stop, which this thread starts. */
    public static void closes(ConfigurableApplicationContext context) {
        APPLICATION.set(context);
        STARTER.set(Thread.currentThread());
    }

    /** The start is over. */
    public static void started() {
        STARTER.set(null);
    }

    /** Whether somebody wants the end, so that nothing that fails now is worth a word. */
    public static boolean isUnderWay() {
        return underWay;
    }

    /**
     * Stops the application and exits: with 0 on SIGTERM. By reflection, because the compiler warns of every mention of
     * {@code sun.misc.Signal} and cannot be told not to; the JDK has no other way to learn of a signal.
     *
     * <p>The application stops before the JVM does and not, as usual, in a shutdown hook, which could not choose the code.
     */
    public static void onSignals() {
        try {
            on("TERM", 0);
            on("INT", INTERRUPTED);
        } catch (ReflectiveOperationException e) {
            // Another JVM: it stops less gently, and with its own exit code.
            System.err.println("alpha cannot handle SIGTERM on this JVM and will exit with its code: " + e);
        }
    }

    private static void on(String name, int exitCode) throws ReflectiveOperationException {
        Class<?> signal = Class.forName("sun.misc.Signal");
        Class<?> handler = Class.forName("sun.misc.SignalHandler");
        Object exit = Proxy.newProxyInstance(
                handler.getClassLoader(), new Class<?>[] {handler}, (proxy, method, arguments) -> exit(exitCode));
        signal.getMethod("handle", signal, handler)
                .invoke(null, signal.getConstructor(String.class).newInstance(name), exit);
    }

    /**
     * Stops the application in order and exits, while the caller goes on.
     *
     * @param why a part of a sentence
     */
    public static void leaving(int exitCode, String why) {
        Runnable leaves = () -> {
            Announcement.make(
                    System.err, "alpha ends with " + exitCode + ": " + why + "; start it again and it joins anew.");
            exit(exitCode);
        };
        new Thread(leaves, "leaving").start();
    }

    private static Object exit(int exitCode) {
        CompletableFuture.delayedExecutor(WITHIN.toMillis(), TimeUnit.MILLISECONDS)
                .execute(() -> {
                    Announcement.make(
                            System.err,
                            "alpha did not stop within " + WITHIN.toSeconds()
                                    + " s and is killed; nothing that was acknowledged is lost.");
                    Runtime.getRuntime().halt(OVERDUE);
                });
        underWay = true;
        // It may be waiting for a cluster that nobody answers for, and cannot be closed meanwhile.
        Thread starter = STARTER.get();
        if (starter != null) starter.interrupt();
        try {
            ConfigurableApplicationContext application = APPLICATION.get();
            if (application != null) application.close();
        } finally {
            System.exit(exitCode);
        }
        return 0;
    }
}
