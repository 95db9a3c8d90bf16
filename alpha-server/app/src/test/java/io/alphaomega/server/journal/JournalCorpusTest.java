package io.alphaomega.server.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.RandomValues;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Replays the bytes of every event that a released version may have written: one file per event type, a case per block of
 * three lines. {@code -Drewrite} adds the samples that are not there yet. It changes none that is: those bytes are in
 * somebody's store.
 */
class JournalCorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/golden/1.0/journal");

    private record Case(String type, String name, String bytes, String event) {
        StoredEvent stored() {
            return StoredEvent.of(type, HexFormat.of().parseHex(bytes));
        }

        String text() {
            return name + "\n  bytes " + bytes + "\n  event " + event + "\n";
        }
    }

    @Test
    void every_event_that_was_ever_written_is_read_as_it_was_then() {
        List<Case> corpus = corpus();
        assertThat(corpus).hasSizeGreaterThan(50);
        for (Case each : corpus) {
            SagaEvent event = JournalCodec.decode(each.stored());
            assertThat(event).as(each.name()).hasToString(each.event());
            assertThat(JournalCodec.encode(event)).as(each.name()).isEqualTo(each.stored());
        }
    }

    @Test
    void every_event_type_is_in_the_corpus_in_several_shapes() throws IOException {
        Map<String, Case> missing = new TreeMap<>();
        JournalSamples.all().forEach((name, event) -> missing.put(name, sample(name, event)));
        if (System.getProperty("rewrite") == null) {
            corpus().forEach(each -> missing.remove(each.name(), each));
            assertThat(missing.keySet())
                    .as("samples without their bytes in %s; run this test with -Drewrite, which adds them", CORPUS)
                    .isEmpty();
        } else {
            corpus().forEach(each -> missing.remove(each.name()));
            write(missing.values());
        }
        Map<Class<?>, Long> shapes = corpus().stream()
                .collect(Collectors.groupingBy(
                        each -> JournalCodec.decode(each.stored()).getClass(), Collectors.counting()));
        for (Class<?> type : RandomValues.cases(SagaEvent.class)) {
            assertThat(shapes)
                    .as("a sample of the event is needed")
                    .hasEntrySatisfying(
                            type,
                            count -> assertThat(count).as(type.getSimpleName()).isGreaterThan(1));
        }
    }

    private static Case sample(String name, SagaEvent event) {
        StoredEvent stored = JournalCodec.encode(event);
        assertThat(JournalCodec.decode(stored)).isEqualTo(event);
        return new Case(stored.type(), name, HexFormat.of().formatHex(stored.bytes()), event.toString());
    }

    private static List<Case> corpus() {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.sorted().flatMap(JournalCorpusTest::cases).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<Case> cases(Path file) {
        String type = file.getFileName().toString().replaceFirst("\\.txt$", "");
        List<Case> cases = new ArrayList<>();
        try {
            for (String block : Files.readString(file).split("\n\n", -1)) {
                String[] lines = block.strip().split("\n", -1);
                assertThat(lines).as("a case of %s: %s", file, block).hasSize(3);
                cases.add(new Case(type, lines[0], after("bytes ", lines[1]), after("event ", lines[2])));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return cases.stream();
    }

    private static String after(String label, String line) {
        assertThat(line.strip()).startsWith(label);
        return line.strip().substring(label.length());
    }

    private static void write(Iterable<Case> missing) throws IOException {
        for (Case each : missing) {
            Path file = CORPUS.resolve(each.type() + ".txt");
            String before = Files.exists(file) ? Files.readString(file) + "\n" : "";
            Files.writeString(file, before + each.text());
        }
    }
}
