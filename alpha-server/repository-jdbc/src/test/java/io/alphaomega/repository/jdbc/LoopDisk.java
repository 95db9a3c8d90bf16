package io.alphaomega.repository.jdbc;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A disk whose power can be cut: an ext4 file system in a file. What a process has written and not synced is in the page
 * cache of that file system, not in the file; so a copy of the file is what a disk holds after the power has gone, as
 * long as nobody syncs on behalf of the process. (It is the kindest of disks in one respect: what was sent to it is not
 * lost from a cache of its own.)
 */
final class LoopDisk implements AutoCloseable {
    /** Room for what one test writes; copied at every cut. */
    private static final String SIZE = "96M";

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final Path image;
    private final Path mount;
    private final String device;

    private LoopDisk(Path image, Path mount) throws IOException {
        this.image = image;
        this.mount = mount;
        Files.createDirectories(mount);
        run("mount", "-o", "loop,noatime", image.toString(), mount.toString());
        device = Path.of(run("findmnt", "-n", "-o", "SOURCE", mount.toString()).strip())
                .getFileName()
                .toString();
    }

    /** Only root may mount, and not in every container. */
    static boolean isPossible(Path directory) {
        try (LoopDisk disk = blank(directory.resolve("possible"))) {
            return Files.isDirectory(disk.mount);
        } catch (IOException e) {
            return false;
        }
    }

    static LoopDisk blank(Path at) throws IOException {
        Path image = at.resolveSibling(at.getFileName() + ".img");
        run("truncate", "-s", SIZE, image.toString());
        run("mkfs.ext4", "-q", "-F", image.toString());
        return new LoopDisk(image, at);
    }

    Path path() {
        return mount;
    }

    /** How often the disk was told to make what it has durable. */
    long flushes() throws IOException {
        return Long.parseLong(statistics().get(15));
    }

    void sync() throws IOException {
        run("sync", "-f", mount.toString());
    }

    /** The disk as it is now, with nothing under way, as another disk. The processes that write to it are stopped. */
    LoopDisk cut(Path at) throws IOException {
        Path copy = at.resolveSibling(at.getFileName() + ".img");
        Awaitility.await().atMost(PATIENCE).until(() -> {
            List<String> before = statistics();
            boolean idle = Files.readString(Path.of("/sys/block", device, "inflight"))
                    .strip()
                    .matches("0\\s+0");
            run("cp", "--sparse=always", image.toString(), copy.toString());
            return idle && statistics().equals(before);
        });
        return new LoopDisk(copy, at);
    }

    private List<String> statistics() throws IOException {
        return Stream.of(Files.readString(Path.of("/sys/block", device, "stat"))
                        .strip()
                        .split("\\s+", -1))
                .toList();
    }

    @Override
    public void close() throws IOException {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> {
            run("umount", mount.toString());
            return true;
        });
        Files.delete(image);
    }

    private static String run(String... command) throws IOException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.onExit().join().exitValue();
        if (status != 0) throw new IOException(String.join(" ", command) + ": " + output.strip());
        return output;
    }
}
