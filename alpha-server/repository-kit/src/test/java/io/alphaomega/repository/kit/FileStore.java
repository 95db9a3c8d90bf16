package io.alphaomega.repository.kit;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Durability;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.campaign.StoreOnDisk;
import io.alphaomega.repository.kit.InMemoryStore.Entry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

/** A store on a disk that is small enough to be broken on purpose: a file with a line for each append of a {@link Ledger}. */
class FileStore implements StoreOnDisk {
    private static final int PROBE_BYTES = 65_536;

    @Override
    public final Running start(Path directory) {
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Running(directory.toString(), List.of());
    }

    @Override
    public final SagaRepository open(String address) {
        try {
            return new FileRepository(Path.of(address).resolve("appends"), new InMemoryStore());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Durability.Level declares() {
        return Durability.Level.POWER_LOSS;
    }

    void write(FileChannel file, String lines) throws IOException {
        writeAll(file, lines);
        file.force(false);
    }

    RepositoryUnavailableException failure(IOException cause) {
        return new RepositoryUnavailableException("The file takes no more: " + cause.getMessage(), cause);
    }

    static void writeAll(FileChannel file, String lines) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(lines.getBytes(StandardCharsets.US_ASCII));
        while (bytes.hasRemaining()) file.write(bytes);
    }

    static final class NotSynced extends FileStore {
        @Override
        Durability.Level declares() {
            return Durability.Level.PROCESS_CRASH;
        }

        @Override
        void write(FileChannel file, String lines) throws IOException {
            writeAll(file, lines);
        }
    }

    static final class LiesAboutSyncing extends FileStore {
        @Override
        void write(FileChannel file, String lines) throws IOException {
            writeAll(file, lines);
        }
    }

    /** It acknowledges what is in its own memory only. */
    static final class Buffers extends FileStore {
        private final StringBuilder buffer = new StringBuilder();

        @Override
        void write(FileChannel file, String lines) throws IOException {
            buffer.append(lines);
            if (buffer.length() < 100_000) return;
            writeAll(file, buffer.toString());
            buffer.setLength(0);
        }
    }

    static final class IgnoresAFullDisk extends FileStore {
        @Override
        void write(FileChannel file, String lines) {
            try {
                super.write(file, lines);
            } catch (IOException ignored) {
                // That is the flaw.
            }
        }
    }

    static final class StaysDown extends FileStore {
        private boolean down;

        @Override
        void write(FileChannel file, String lines) throws IOException {
            if (down) throw new IOException("once full, always full");
            try {
                super.write(file, lines);
            } catch (IOException full) {
                down = true;
                throw full;
            }
        }
    }

    private final class FileRepository extends Broken {
        private final InMemoryStore memory;
        private final FileChannel file;
        private final Path path;
        private boolean failed;

        FileRepository(Path path, InMemoryStore memory) throws IOException {
            super(memory.open());
            this.path = path;
            this.memory = memory;
            file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.READ);
            readBack();
        }

        /** Makes the memory what the file is; a line that is cut off is no line. */
        private void readBack() throws IOException {
            String text = Files.readString(path, StandardCharsets.US_ASCII);
            String whole = text.substring(0, text.lastIndexOf('\n') + 1);
            file.truncate(whole.length());
            file.position(whole.length());
            memory.sagas().clear();
            whole.lines().forEach(this::replay);
        }

        private void replay(String line) {
            String[] words = line.split(" ", -1);
            Version version = new Version(Long.parseLong(words[1]), words[2]);
            int events = Integer.parseInt(words[3]);
            Append item = Ledger.item(words[0], new Version(version.sequence() - events, "any"), events);
            Entry before = memory.sagas().get(words[0]);
            List<StoredEvent> journal = new ArrayList<>(before == null ? List.of() : before.events());
            journal.addAll(item.events());
            memory.sagas().put(words[0], new Entry(List.copyOf(journal), version, item.summary()));
        }

        @Override
        public synchronized List<AppendResult> append(List<Append> batch) {
            List<AppendResult> results = super.append(batch);
            StringBuilder lines = new StringBuilder();
            for (int i = 0; i < batch.size(); i++) {
                if (results.get(i) instanceof Appended(Version version)) {
                    Append item = batch.get(i);
                    lines.append("%s %d %s %d%n"
                            .formatted(
                                    item.id(),
                                    version.sequence(),
                                    version.token(),
                                    item.events().size()));
                }
            }
            try {
                write(file, lines.toString());
                failed = false;
                return results;
            } catch (IOException e) {
                failed = true;
                forget();
                throw failure(e);
            }
        }

        private void forget() {
            try {
                readBack();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public synchronized Health check() {
            if (!failed) return new Health.Up();
            try {
                write(file, "x".repeat(PROBE_BYTES));
                failed = false;
                return new Health.Up();
            } catch (IOException e) {
                return new Health.Down("The file takes no more.");
            } finally {
                forget();
            }
        }

        @Override
        public void close() {
            super.close();
            try {
                file.close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public Durability durability() {
            return new Durability(declares(), "a file");
        }
    }
}
