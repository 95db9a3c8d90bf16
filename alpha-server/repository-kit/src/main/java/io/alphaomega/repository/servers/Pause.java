package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** A moment in which a process, with those it started, does nothing at all. */
public final class Pause {
    private Pause() {}

    /** Returns once nothing runs any more: threads stop one by one, and not in the middle of a sync. */
    public static void begin(ProcessHandle process) {
        Awaitility.await()
                .atMost(Patience.LIMIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> {
                    // Again and again: it may just have started another one.
                    List<ProcessHandle> family = family(process);
                    for (ProcessHandle each : family) signal("STOP", each);
                    return family(process).equals(family) && family.stream().allMatch(Pause::isStopped);
                });
    }

    public static void end(ProcessHandle process) {
        for (ProcessHandle each : family(process)) signal("CONT", each);
    }

    private static List<ProcessHandle> family(ProcessHandle process) {
        return Stream.concat(Stream.of(process), process.descendants())
                .filter(ProcessHandle::isAlive)
                .toList();
    }

    static void signal(String name, ProcessHandle process) {
        try {
            Command.run("kill", "-" + name, Long.toString(process.pid()));
        } catch (IOException e) {
            if (process.isAlive()) throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(ProcessHandle process) {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return tasks.allMatch(Pause::isStopped);
        } catch (NoSuchFileException e) {
            return true;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            String state = stat.substring(stat.lastIndexOf(')'));
            // One that has ended stays until its parent looks, which may be stopped.
            return state.startsWith(") T") || state.startsWith(") Z");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
