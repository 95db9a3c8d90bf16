package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A small disk in memory that can be filled to the last byte and freed again. */
public final class TmpfsDisk implements AutoCloseable {
    private static final int CHUNK_BYTES = 4_096;

    private final Path mount;

    private TmpfsDisk(Path mount) {
        this.mount = mount;
    }

    /** Only root may mount, and not in every container. */
    public static boolean isPossible(Path directory) {
        try (TmpfsDisk disk = blank(directory.resolve("possible"), 1)) {
            return Files.isDirectory(disk.mount);
        } catch (IOException e) {
            return false;
        }
    }

    /** An empty disk, mounted at a directory that need not exist. Anyone may write to it. */
    public static TmpfsDisk blank(Path at, int mebibytes) throws IOException {
        Files.createDirectories(at);
        Command.run("mount", "-t", "tmpfs", "-o", "mode=777,size=" + mebibytes + "m", "tmpfs", at.toString());
        return new TmpfsDisk(at);
    }

    public Path path() {
        return mount;
    }

    /** Takes what room there is; what others free afterwards is theirs. May be called again. */
    public void fill() throws IOException {
        byte[] chunk = new byte[CHUNK_BYTES];
        try (OutputStream ballast =
                Files.newOutputStream(ballast(), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            while (ballast().toFile().getUsableSpace() > 0) ballast.write(chunk);
        } catch (IOException full) {
            if (Files.getFileStore(mount).getUsableSpace() >= CHUNK_BYTES) throw full;
        }
    }

    /** Gives back what {@link #fill()} has taken. */
    public void free() throws IOException {
        Files.deleteIfExists(ballast());
    }

    private Path ballast() {
        return mount.resolve("ballast");
    }

    @Override
    public void close() throws IOException {
        Mount.end(mount);
    }
}
