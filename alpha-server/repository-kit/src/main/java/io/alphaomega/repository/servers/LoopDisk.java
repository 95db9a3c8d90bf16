package io.alphaomega.repository.servers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/**
 * A disk whose power can be cut: an ext4 file system in a file. What a process has written and not synced is in the page
 * cache of that file system, not in the file; so a copy of the file is what a disk holds after the power has gone, as
 * long as nobody syncs on behalf of the process. (It is the kindest of disks in one respect: what was sent to it is not
 * lost from a cache of its own.)
 */
public final class LoopDisk implements AutoCloseable {
    private final Path image;
    private final Path mount;
    private final String device;

    private LoopDisk(Path image, Path mount) throws IOException {
        this.image = image;
        this.mount = mount;
        Files.createDirectories(mount);
        Command.run("mount", "-o", "loop,noatime", image.toString(), mount.toString());
        device = Path.of(Command.run("findmnt", "-n", "-o", "SOURCE", mount.toString())
                        .strip())
                .getFileName()
                .toString();
    }

    /** Only root may mount, and not in every container. */
    public static boolean isPossible(Path directory) {
        try (LoopDisk disk = blank(directory.resolve("possible"), 8)) {
            return Files.isDirectory(disk.mount);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * An empty disk, mounted at a directory that need not exist; its image is beside it.
     *
     * @param mebibytes room for what one test writes; copied at every cut
     */
    public static LoopDisk blank(Path at, int mebibytes) throws IOException {
        Path image = at.resolveSibling(at.getFileName() + ".img");
        Command.run("truncate", "-s", mebibytes + "M", image.toString());
        Command.run("mkfs.ext4", "-q", "-F", image.toString());
        return new LoopDisk(image, at);
    }

    public Path path() {
        return mount;
    }

    /** How often the disk was told to make what it has durable. */
    public long flushes() throws IOException {
        return Long.parseLong(statistics().get(15));
    }

    /** Makes durable what has been written to it, as no test of a power cut does once it has begun. */
    public void sync() throws IOException {
        Command.run("sync", "-f", mount.toString());
    }

    /** The disk as it is now, with nothing under way, as another disk. The processes that write to it are stopped. */
    public LoopDisk cut(Path at) throws IOException {
        Path copy = at.resolveSibling(at.getFileName() + ".img");
        Awaitility.await().atMost(Patience.LIMIT).until(() -> {
            List<String> before = statistics();
            boolean idle = Files.readString(Path.of("/sys/block", device, "inflight"))
                    .strip()
                    .matches("0\\s+0");
            Command.run("cp", "--sparse=always", image.toString(), copy.toString());
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
        Mount.end(mount);
        Files.delete(image);
    }
}
