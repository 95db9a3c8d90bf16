package io.alphaomega.samples.bank.campaign.hooks;

import java.io.IOException;
import java.util.Arrays;

/**
 * The main class of every process that a test starts: it runs the main class that it is given, and halts when the test
 * has gone, which closes this process's standard input. So a killed test leaves nothing behind.
 */
public final class Child {
    private static final int ORPHANED = 3;

    private Child() {}

    /** Runs the class that the first argument names with the other arguments. */
    public static void main(String[] args) throws ReflectiveOperationException {
        Thread.ofPlatform().daemon().name("orphan-watch").start(Child::haltWhenOrphaned);
        Class.forName(args[0]).getMethod("main", String[].class).invoke(null, (Object)
                Arrays.copyOfRange(args, 1, args.length));
    }

    private static void haltWhenOrphaned() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes; only the end matters.
            }
        } catch (IOException closed) {
            // Closed is closed.
        }
        Runtime.getRuntime().halt(ORPHANED);
    }
}
