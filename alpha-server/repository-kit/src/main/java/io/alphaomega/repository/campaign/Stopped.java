package io.alphaomega.repository.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/** Waits until a stopped process does nothing any more: each thread stops by itself, and not in the middle of a sync. */
final class Stopped {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Stopped() {}

    static void await(long pid) {
        Awaitility.await()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> isStopped(pid)
                        && ProcessHandle.of(pid).stream()
                                .flatMap(ProcessHandle::descendants)
                                .allMatch(each -> isStopped(each.pid())));
    }

    private static boolean isStopped(long pid) {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + pid + "/task"))) {
            return tasks.allMatch(Stopped::isStopped);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isStopped(Path task) {
        try {
            String stat = Files.readString(task.resolve("stat"));
            return stat.substring(stat.lastIndexOf(')')).startsWith(") T");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
