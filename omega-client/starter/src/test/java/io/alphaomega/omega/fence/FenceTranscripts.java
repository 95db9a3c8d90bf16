package io.alphaomega.omega.fence;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * The transcripts in {@code fences}. A file is a story of one branch, in blocks: lines of calls and callbacks, each a local
 * transaction; {@code ----}; and what the last line leads to: the steps of its decisions, the verdicts, the rows of the
 * fence and the bookings that are left. The lines before it are context.
 *
 * <p>A step that begins with {@code ~} is only taken where a transaction does not read the latest. What begins with {@code
 * in Redis} stands there in the place of the lines of its kind; a story that Redis cannot tell says so in its first line.
 * {@code -Drewrite} writes what happens into the files, to be reviewed as a diff.
 */
final class FenceTranscripts {
    /** From each of the modules that tell them. */
    private static final Path FOLDER = Path.of("..", "starter", "src/test/resources/fences");

    private static final boolean REWRITE = System.getProperty("rewrite") != null;

    private static final String SEPARATOR = "----";
    private static final String STEP = "  ";
    private static final String SKIPPED = "~ ";
    private static final String IN_REDIS = "in Redis ";

    private FenceTranscripts() {}

    /** Lets the story happen somewhere. */
    interface Teller {
        /** One line: its verdicts, each after its steps where they are known. */
        List<String> tell(String line) throws Exception;

        /** The rows and the bookings. */
        List<String> left() throws Exception;
    }

    static List<Path> files() {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.filter(f -> f.toString().endsWith(".txt")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that Redis can tell. */
    static List<Path> filesOfRedis() {
        return files().stream()
                .filter(file -> !read(file).get(0).startsWith("# Not in Redis"))
                .toList();
    }

    static String name(Path file) {
        return file.getFileName().toString().replace(".txt", "").replace('-', ' ');
    }

    /** What becomes of the lines that follow a {@link #SEPARATOR} when the story happens as told there. */
    interface Retold {
        List<String> lines(List<String> written, List<String> happened);
    }

    /** By the rules in memory: what all others are compared with. What Redis does is kept. */
    static List<String> ofRules(List<String> written, List<String> happened) {
        List<String> lines = new ArrayList<>(happened);
        written.stream().filter(line -> line.startsWith(IN_REDIS)).forEach(lines::add);
        return lines;
    }

    /** How a database takes steps. */
    enum Kind {
        /** A row is found that was committed since the transaction began. */
        READS_LATEST,
        READS,
        /** Where an insert fails, the row is looked for, to know that its key was taken. */
        ASKS_AFTER_ERRORS
    }

    /** Through a database: nothing is to be rewritten, so what does not happen as written is told in its place. */
    static Retold ofDatabase(Kind kind) {
        return (written, happened) -> expected(kind, written).equals(happened) ? written : happened;
    }

    private static List<String> expected(Kind kind, List<String> written) {
        List<String> expected = new ArrayList<>();
        for (String line : written) {
            boolean isSkipped = kind == Kind.READS_LATEST && line.startsWith(STEP + SKIPPED);
            if (isSkipped || line.startsWith(IN_REDIS)) continue;
            String step = line.replace(STEP + SKIPPED, STEP);
            if (step.startsWith(STEP)) step = step.replaceAll(": (yes|no)$", "");
            expected.add(step);
            boolean refused = step.startsWith(STEP + "insert") && line.endsWith(": no");
            if (refused && kind == Kind.ASKS_AFTER_ERRORS)
                expected.add(step.replace("insert", "find").replaceAll(" [(].*", ""));
        }
        return expected;
    }

    /** In Redis: what is as elsewhere is not told again. */
    static List<String> ofRedis(List<String> written, List<String> happened) {
        List<String> lines = new ArrayList<>(
                written.stream().filter(line -> !line.startsWith(IN_REDIS)).toList());
        Function<String, List<String>> verdicts =
                kind -> lines.stream().filter(line -> line.startsWith(kind)).toList();
        for (String kind : List.of("← ", "rows: ", "booked: ")) {
            List<String> here =
                    happened.stream().filter(line -> line.startsWith(kind)).toList();
            if (!here.equals(verdicts.apply(kind))) here.forEach(line -> lines.add(IN_REDIS + line));
        }
        return lines;
    }

    /** The file as it should read. */
    static String retold(Path file, Teller teller, Retold retold) throws Exception {
        StringBuilder text = new StringBuilder();
        List<String> inputs = new ArrayList<>();
        List<String> lines = read(file);
        for (int at = 0; at < lines.size(); at++) {
            String line = lines.get(at);
            text.append(line).append('\n');
            if (!line.equals(SEPARATOR)) {
                if (!line.isBlank() && !line.startsWith("#")) inputs.add(line);
                continue;
            }
            List<String> written = new ArrayList<>();
            while (at + 1 < lines.size() && !lines.get(at + 1).isBlank()) written.add(lines.get(++at));
            for (String context : inputs.subList(0, inputs.size() - 1)) {
                List<String> unused = teller.tell(context);
            }
            List<String> happened = new ArrayList<>(teller.tell(inputs.get(inputs.size() - 1)));
            happened.addAll(teller.left());
            inputs.clear();
            retold.lines(written, happened).forEach(each -> text.append(each).append('\n'));
        }
        if (!inputs.isEmpty()) throw new IllegalArgumentException(file + ": " + SEPARATOR + " is missing at its end");
        return text.toString();
    }

    /** The statements that were sent, each once. */
    static void assertStatements(String database, Collection<String> statements) throws IOException {
        Path file = FOLDER.resolve("statements").resolve(database + ".txt");
        String text = String.join("\n", statements) + "\n";
        assertThat(text).isEqualTo(rewritten(file, text));
    }

    /** Rewrites the file if that is wanted, and says how it reads then. */
    static String rewritten(Path file, String retold) throws IOException {
        if (REWRITE) Files.writeString(file, retold);
        return Files.readString(file);
    }

    /** A result: words in quotes, or so many bytes. */
    static byte[] bytes(String argument) {
        if (argument.endsWith(" bytes")) return new byte[Integer.parseInt(argument.replace(" bytes", ""))];
        return argument.replace("\"", "").getBytes(UTF_8);
    }

    private static List<String> read(Path file) {
        try {
            return Files.readAllLines(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
