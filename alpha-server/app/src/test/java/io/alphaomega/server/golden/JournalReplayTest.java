package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.journal.JournalCodec;
import io.alphaomega.server.journal.JournalUnreadableException;
import io.alphaomega.server.journal.v1.Journal;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a neighbouring version may find in a journal; that each event is read as it was then is JournalCorpusTest's. */
class JournalReplayTest {
    private static final String BYTES = "  bytes ";

    private final Schema first = Schema.of(Golden.FIRST);
    private final List<StoredEvent> corpus = corpus();

    private static List<StoredEvent> corpus() {
        try (Stream<Path> files = Files.list(Golden.FIRST.resolve("journal"))) {
            return files.sorted().flatMap(JournalReplayTest::events).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Stream<StoredEvent> events(Path file) {
        String type = file.getFileName().toString().replaceFirst("\\.txt$", "");
        try {
            return Files.readAllLines(file).stream()
                    .filter(line -> line.startsWith(BYTES))
                    .map(line -> StoredEvent.of(type, HexFormat.of().parseHex(line.substring(BYTES.length()))));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An event and its message have one name. */
    private static Descriptor message(SagaEvent event) {
        return Journal.getDescriptor().findMessageTypeByName(event.getClass().getSimpleName());
    }

    private static Message parse(Descriptor type, byte[] bytes) {
        try {
            return DynamicMessage.parseFrom(type, bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("no " + type.getFullName() + ": " + e.getMessage(), e);
        }
    }

    @Test
    void what_is_journaled_today_is_read_by_the_released_schema() {
        for (StoredEvent stored : corpus) {
            SagaEvent event = JournalCodec.decode(stored);
            Descriptor today = message(event);
            byte[] written = JournalCodec.encode(event).bytes();
            assertThat(Golden.print(parse(first.message(today.getFullName()), written)))
                    .as(stored.type())
                    .isEqualTo(Golden.print(parse(today, written)));
        }
    }

    @Test
    void what_a_newer_version_adds_to_an_event_is_skipped() {
        for (StoredEvent stored : corpus) {
            SagaEvent event = JournalCodec.decode(stored);
            Message newer = Golden.withFieldsOfANewerVersion(parse(message(event), stored.bytes()));
            assertThat(JournalCodec.decode(StoredEvent.of(stored.type(), newer.toByteArray())))
                    .isEqualTo(event);
        }
    }

    @Test
    void a_value_of_a_newer_version_is_never_guessed() {
        int planted = 0;
        for (StoredEvent stored : corpus) {
            Message message = parse(message(JournalCodec.decode(stored)), stored.bytes());
            for (FieldDescriptor field : message.getAllFields().keySet()) {
                if (field.getJavaType() != JavaType.ENUM) continue;
                byte[] newer = message.toBuilder()
                        .setField(field, field.getEnumType().findValueByNumberCreatingIfUnknown(99))
                        .build()
                        .toByteArray();
                assertThatExceptionOfType(JournalUnreadableException.class)
                        .as(field.getFullName())
                        .isThrownBy(() -> JournalCodec.decode(StoredEvent.of(stored.type(), newer)))
                        .withMessageContaining("99")
                        .withMessageContaining("upgrade this node");
                planted++;
            }
        }
        assertThat(planted).isGreaterThan(30);
    }

    @Test
    void every_field_and_every_value_of_the_journal_is_in_a_sample() {
        Sampled sampled = new Sampled();
        corpus.forEach(stored -> sampled.add(parse(message(JournalCodec.decode(stored)), stored.bytes())));
        corpus.forEach(stored -> sampled.assertWhole(message(JournalCodec.decode(stored))));
    }
}
