package io.alphaomega.server.log;

import java.io.PrintStream;
import java.time.Duration;

/** A line for people and scripts beside the log: behind all that was logged, and without waiting for a reader that has stopped. */
public final class Announcement {
    /** Both halves of it are milliseconds where somebody reads. */
    private static final Duration WITHIN = Duration.ofSeconds(1);

    private Announcement() {}

    /** Returns when the log and the line are written, or a second later. */
    public static void make(PrintStream to, String line) {
        Thread speaker = Thread.ofPlatform().daemon().name("announcement").start(() -> {
            QueuedLog.awaitWritten(WITHIN.dividedBy(2));
            to.println(line);
        });
        try {
            speaker.join(WITHIN);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
