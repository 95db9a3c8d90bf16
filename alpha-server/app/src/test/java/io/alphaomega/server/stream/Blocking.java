package io.alphaomega.server.stream;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordedFrame;
import jdk.jfr.consumer.RecordingStream;

/**
 * What the JDK records of threads that wait where nothing may: in the network's threads, in a turn and in an actor. Its
 * flight recorder sees locks, monitors, sleeps, sockets and files, each with its stack.
 */
final class Blocking implements AutoCloseable {
    private static final List<String> WAITS = List.of(
            "jdk.ThreadPark",
            "jdk.ThreadSleep",
            "jdk.JavaMonitorEnter",
            "jdk.JavaMonitorWait",
            "jdk.SocketRead",
            "jdk.SocketWrite",
            "jdk.FileRead",
            "jdk.FileWrite",
            "jdk.FileForce");

    /** What happens once: a class is read from its jar. */
    private static final String LOADING = "java.lang.ClassLoader.loadClass";

    /** Locks that are held for a few instructions, around no call: that of a lane's backlog, and that of the log's queue. */
    private static final List<String> SHORT = List.of(
            "io.alphaomega.server.repository.AppendLane.offer",
            "io.alphaomega.server.repository.AppendLane.takeOrRest",
            "java.util.concurrent.ArrayBlockingQueue.offer");

    /** What the tests' own JVM logs is written at once, by one at a time; alpha's log has a queue ({@code QueuedLog}). */
    private static final String LOGGING = "ch.qos.logback.core.OutputStreamAppender.writeBytes";

    private final Queue<String> found = new ConcurrentLinkedQueue<>();
    private final RecordingStream recording = new RecordingStream();

    Blocking() {
        for (String wait : WAITS) {
            recording.enable(wait).withThreshold(Duration.ZERO).withStackTrace().with("throttle", "off");
            recording.onEvent(wait, this::see);
        }
        recording.startAsync();
    }

    private void see(RecordedEvent event) {
        if (event.getThread() == null || event.getStackTrace() == null) return;
        String thread = String.valueOf(event.getThread().getJavaName());
        List<String> stack = new ArrayList<>();
        for (RecordedFrame frame : event.getStackTrace().getFrames()) {
            stack.add(frame.getMethod().getType().getName() + "."
                    + frame.getMethod().getName());
        }
        boolean forbidden = thread.startsWith("alpha-stream")
                || stack.stream().anyMatch(frame -> frame.startsWith("io.alphaomega.server.turn.Turn.run"))
                || (thread.contains("default-dispatcher") && stack.contains("akka.dispatch.Mailbox.processMailbox"));
        boolean harmless = stack.contains(LOADING)
                || stack.contains(LOGGING)
                || stack.stream().anyMatch(SHORT::contains);
        if (forbidden && !harmless) {
            found.add("%s in %s:%n    %s"
                    .formatted(event.getEventType().getName(), thread, String.join("\n    ", stack)));
        }
    }

    /** All that was recorded until now. */
    List<String> found() {
        recording.stop();
        return List.copyOf(found);
    }

    @Override
    public void close() {
        recording.close();
    }
}
