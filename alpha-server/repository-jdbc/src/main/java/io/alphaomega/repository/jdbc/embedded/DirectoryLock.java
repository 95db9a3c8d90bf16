package io.alphaomega.repository.jdbc.embedded;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The right to use a directory, of one repository in one process; the operating system takes it back from a dead one. */
final class DirectoryLock implements AutoCloseable {
    static final String FILE = "alpha.lock";

    /**
     * Directories that this process holds. Asked before the file is touched: where locks are POSIX locks, to close any
     * channel on the file gives up the lock that another channel of this process holds on it.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DirectoryLock(Path directory, FileChannel channel) {
        this.directory = directory;
        this.channel = channel;
    }

    /** @throws IllegalStateException with a sentence, if the directory cannot be had */
    static DirectoryLock take(Path directory) {
        Path real = usable(directory);
        if (!HELD.add(real)) {
            throw inUse(
                    directory, "this process, number " + ProcessHandle.current().pid());
        }
        boolean taken = false;
        try {
            FileChannel channel = FileChannel.open(
                    real.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                FileLock lock = channel.tryLock();
                if (lock == null) throw inUse(directory, "process " + content(channel));
                channel.truncate(0);
                channel.write(ByteBuffer.wrap(
                        Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
                taken = true;
                return new DirectoryLock(real, channel);
            } finally {
                if (!taken) channel.close();
            }
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The directory %s cannot be written (%s): give alpha's user the right to, or name another one."
                            .formatted(directory, e),
                    e);
        } finally {
            if (!taken) HELD.remove(real);
        }
    }

    private static Path usable(Path directory) {
        try {
            if (Files.exists(directory) && !Files.isDirectory(directory)) {
                throw new IllegalStateException(
                        "%s is a file: the embedded store needs a directory of its own.".formatted(directory));
            }
            if (!Files.exists(directory)) {
                // Not its parents: that these are missing says that a volume is not mounted or a name misspelt.
                Files.createDirectory(directory.toAbsolutePath());
            }
            return directory.toRealPath();
        } catch (IOException e) {
            throw new IllegalStateException(
                    "The directory %s does not exist and cannot be created (%s): create it, or name another one."
                            .formatted(directory, e),
                    e);
        }
    }

    private static IllegalStateException inUse(Path directory, String holder) {
        return new IllegalStateException(
                "The directory %s is in use by %s: an embedded store serves one alpha. Stop the other one, or name another directory."
                        .formatted(directory, holder));
    }

    private static String content(FileChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(20);
        channel.read(bytes, 0);
        String pid = new String(bytes.array(), 0, bytes.position(), StandardCharsets.US_ASCII);
        return pid.isBlank() ? "of unknown number" : pid;
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // The lock goes with the process at the latest.
        } finally {
            HELD.remove(directory);
        }
    }
}
