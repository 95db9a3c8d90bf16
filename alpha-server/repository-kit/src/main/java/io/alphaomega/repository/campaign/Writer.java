package io.alphaomega.repository.campaign;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Pause;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** A process of its own that appends to a store until it is killed, and prints what was acknowledged. */
public final class Writer implements AutoCloseable {
    private final Process process;
    private final Path errors;
    private final BufferedReader output;

    private Writer(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    /**
     * Starts one; what it has to complain is appended to {@code writer.err} in the directory.
     *
     * @param seed sets its sagas apart from those of other writers on the store
     */
    public static Writer start(Class<? extends StoreOnDisk> store, String address, int seed, Path directory) {
        try {
            Path errors = directory.resolve("writer.err");
            Process process = command(store, address, seed)
                    .start(
                            directory,
                            new ProcessBuilder().redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile())));
            return new Writer(process, errors);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The program itself, which ends only if the store must not be used. */
    public static Command command(Class<? extends StoreOnDisk> store, String address, int seed) {
        return Command.of(
                Path.of(System.getProperty("java.home"), "bin", "java"),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Writing.class.getName(),
                store.getName(),
                address,
                seed);
    }

    public long pid() {
        return process.pid();
    }

    /** Reads so many more batches, waiting for them. */
    public void await(int batches, Ledger ledger) {
        try {
            for (int i = 0; i < batches; i++) {
                String line = output.readLine();
                if (line == null) throw new IllegalStateException("The writer has ended: " + Files.readString(errors));
                ledger.acknowledge(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads what a stopped or dead writer has left in the pipe. */
    public void drain(Ledger ledger) {
        try {
            while (output.ready()) {
                String line = output.readLine();
                if (line != null) ledger.acknowledge(line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Unlike {@link Process#destroyForcibly()} it leaves the pipe to be read. */
    public void kill() {
        process.toHandle().destroyForcibly();
        process.onExit().join();
    }

    /** Stops it for a moment. */
    void pause() {
        Pause.begin(process.toHandle());
    }

    void resume() {
        Pause.end(process.toHandle());
    }

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }
}
