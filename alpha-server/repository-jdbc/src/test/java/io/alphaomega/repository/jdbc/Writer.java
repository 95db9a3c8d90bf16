package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** A process of its own that appends to the embedded store until it is killed, and prints what was acknowledged. */
final class Writer implements AutoCloseable {
    private static final int SAGAS = 200;
    private static final int BATCH_MAX = 32;

    /** A line must fit into one write to the pipe, so that it is read whole or not at all. */
    private static final int ID_CHARS_MAX = 12;

    private final Process process;
    private final BufferedReader output;

    private Writer(Process process) {
        this.process = process;
        output = process.inputReader(StandardCharsets.US_ASCII);
    }

    static Writer start(Path directory, List<String> durability, int seed) throws IOException {
        return new Writer(new ProcessBuilder(command(directory, durability, seed))
                .redirectError(ProcessBuilder.Redirect.appendTo(new File(directory + ".err")))
                .start());
    }

    static List<String> command(Path directory, List<String> durability, int seed) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Writer.class.getName(),
                directory.toString(),
                Integer.toString(seed)));
        command.addAll(durability);
        return command;
    }

    long pid() {
        return process.pid();
    }

    /** Reads so many more batches, waiting for them. */
    void await(int batches, Ledger ledger) throws IOException {
        for (int i = 0; i < batches; i++) {
            String line = output.readLine();
            if (line == null) throw new IllegalStateException("the writer has ended: see its .err file");
            ledger.acknowledge(line);
        }
    }

    /** Reads what a stopped or dead writer has left in the pipe. */
    void drain(Ledger ledger) throws IOException {
        while (output.ready()) ledger.acknowledge(output.readLine());
    }

    /** Unlike {@link Process#destroyForcibly()} it leaves the pipe to be read. */
    void kill() throws IOException {
        signal("KILL");
        process.onExit().join();
    }

    void signal(String name) throws IOException {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .onExit()
                .join()
                .exitValue();
        if (status != 0) throw new IllegalStateException("kill -" + name + " ended with " + status);
    }

    boolean isStopped() {
        try (Stream<Path> tasks = Files.list(Path.of("/proc/" + process.pid() + "/task"))) {
            return tasks.allMatch(Writer::isStopped);
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

    @Override
    public void close() {
        process.destroyForcibly().onExit().join();
    }

    /** Arguments: directory, seed, settings of the store's writer. */
    public static void main(String[] arguments) {
        Path directory = Path.of(arguments[0]);
        int seed = Integer.parseInt(arguments[1]);
        List<String> durability = List.of(arguments).subList(2, arguments.length);
        try (SagaRepository repository = new JdbcSagaRepository(SqliteDatabase.in(directory, durability))) {
            write(repository, seed);
        }
    }

    private static void write(SagaRepository repository, int seed) {
        Random random = new Random(seed);
        Map<String, Version> versions = new HashMap<>();
        while (true) {
            List<Append> batch = random.ints(0, SAGAS)
                    .limit(1 + random.nextInt(BATCH_MAX))
                    .distinct()
                    .mapToObj(i -> {
                        String saga = "s" + seed + "-" + i;
                        if (saga.length() > ID_CHARS_MAX) throw new IllegalArgumentException(saga);
                        return Ledger.item(saga, versions.getOrDefault(saga, Version.NONE), 1 + random.nextInt(3));
                    })
                    .toList();
            List<Version> appended = repository.append(batch).stream()
                    .map(result -> ((Appended) result).version())
                    .toList();
            for (int i = 0; i < batch.size(); i++) {
                versions.put(batch.get(i).id().value(), appended.get(i));
            }
            byte[] line = (Ledger.line(batch, appended) + "\n").getBytes(StandardCharsets.US_ASCII);
            System.out.write(line, 0, line.length);
            System.out.flush();
        }
    }
}
