package io.alphaomega.repository.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** What a writer was told is stored, and whether it is. */
public final class Ledger {
    private static final String LOST = "lost ";
    private static final Instant BEGUN = Instant.parse("2031-01-01T00:00:00Z");

    private final Map<String, Version> acknowledged = new HashMap<>();
    private final Set<String> lost = new HashSet<>();
    private long batches;

    /** An append whose every event says where it belongs and how long its item is. */
    public static Append item(String saga, Version expected, int events) {
        List<StoredEvent> list = new ArrayList<>();
        for (int i = 1; i <= events; i++) list.add(event(saga, expected.sequence() + i, i, events));
        long sequence = expected.sequence() + events;
        SagaId id = new SagaId(saga);
        return new Append(
                id,
                expected,
                list,
                new SagaSummary(
                        id,
                        State.ACTIVE,
                        "booking",
                        "trips/book",
                        "",
                        Set.of("booking", "car", "hotel"),
                        (int) sequence,
                        "",
                        false,
                        BEGUN,
                        BEGUN.plusMillis(sequence),
                        Optional.empty(),
                        Optional.of(BEGUN.plusSeconds(sequence)),
                        Map.of(),
                        Optional.empty()));
    }

    /** The same of one event, with the attribute {@code tenant=acme} and an operator's order. */
    public static Append marked(String saga, Version expected, Instant orderedAt) {
        Append item = item(saga, expected, 1);
        SagaSummary s = item.summary();
        SagaSummary marked = new SagaSummary(
                s.id(),
                s.state(),
                s.service(),
                s.operation(),
                s.businessKey(),
                s.services(),
                s.branches(),
                s.reason(),
                s.manual(),
                s.begunAt(),
                s.updatedAt(),
                s.endedAt(),
                s.wakeUpAt(),
                Map.of("tenant", "acme"),
                Optional.of(orderedAt));
        return new Append(item.id(), expected, item.events(), marked);
    }

    private static StoredEvent event(String saga, long sequence, int number, int of) {
        String text = "%s event %d, %d of %d ".formatted(saga, sequence, number, of);
        return StoredEvent.of(
                number == of ? "last" : "more",
                (text + ".".repeat(Math.max(0, 200 - text.length()))).getBytes(StandardCharsets.US_ASCII));
    }

    /** What the writer prints of a batch, in one line: sagas, sequences and tokens. */
    public static String line(List<Append> batch, List<Version> versions) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < batch.size(); i++) {
            line.append(batch.get(i).id())
                    .append(' ')
                    .append(versions.get(i).sequence())
                    .append(' ')
                    .append(versions.get(i).token())
                    .append(' ');
        }
        return line.toString().strip();
    }

    /** What the writer prints when a saga turns out to have lost what it was told is stored. */
    static String lost(String saga) {
        return LOST + saga;
    }

    /** Takes down a line of the writer. */
    public void acknowledge(String line) {
        if (line.startsWith(LOST)) {
            lost.add(line.substring(LOST.length()));
            return;
        }
        List<String> words = Stream.of(line.split(" ", -1)).toList();
        for (int i = 0; i < words.size(); i += 3) {
            acknowledged.put(words.get(i), new Version(Long.parseLong(words.get(i + 1)), words.get(i + 2)));
        }
        batches++;
    }

    /** How many sagas there are in it. */
    long sagas() {
        return acknowledged.size();
    }

    /** How many batches were acknowledged. */
    public long batches() {
        return batches;
    }

    /** How many sagas miss something that was acknowledged. Whatever is stored must be whole, acknowledged or not. */
    public long missing(SagaRepository repository) {
        Map<String, Version> stored = new HashMap<>();
        Optional<Cursor> cursor = Optional.of(Cursor.START);
        while (cursor.isPresent()) {
            Page<SagaSummary> page = repository.find(SagaQuery.ALL, cursor.get(), SagaRepository.PAGE_MAX);
            for (SagaSummary saga : page.items()) stored.put(saga.id().value(), whole(repository, saga));
            cursor = page.next();
        }
        return acknowledged.entrySet().stream()
                .filter(each -> lost.contains(each.getKey())
                        || !includes(stored.getOrDefault(each.getKey(), Version.NONE), each.getValue()))
                .count();
    }

    static boolean includes(Version stored, Version acknowledged) {
        return stored.equals(acknowledged) || stored.sequence() > acknowledged.sequence();
    }

    private static Version whole(SagaRepository repository, SagaSummary summary) {
        Loaded loaded = repository.load(summary.id());
        long sequence = loaded.version().sequence();
        assertThat(summary.branches())
                .as("summary and journal of saga %s are of one append", summary.id())
                .isEqualTo((int) sequence);
        assertThat(loaded.events().getLast().type()).as("saga %s", summary.id()).isEqualTo("last");
        for (int i = 0; i < loaded.events().size(); i++) {
            StoredEvent event = loaded.events().get(i);
            assertThat(event.isIntact()).isTrue();
            assertThat(new String(event.bytes(), StandardCharsets.US_ASCII))
                    .startsWith("%s event %d, ".formatted(summary.id(), i + 1));
        }
        return loaded.version();
    }
}
