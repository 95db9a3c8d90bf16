package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.SagaId;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The largest and the smallest that the rules allow is stored like anything else. */
abstract class LimitsContract {
    private static final int BATCH = 1_000;

    /** More than the server gathers into one batch: stores and their drivers cut or refuse at sizes like 4 MiB. */
    private static final int LARGEST_SAGAS = 8;

    private final Bench bench;

    LimitsContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void the_largest_saga() {
        Draft saga = bench.saga();
        int bytes = Limits.SAGA_BYTES / Limits.BRANCHES;
        List<StoredEvent> journal = new ArrayList<>();
        Version version = Version.NONE;
        for (int branch = 0; branch < Limits.BRANCHES; branch++) {
            StoredEvent[] events = {
                event("began " + branch), StoredEvent.of("ended", binary(bytes, branch)), event("done " + branch)
            };
            journal.addAll(Arrays.asList(events));
            version = bench.appended(saga.after(version, events));
        }

        assertThat(version.sequence()).isEqualTo(3L * Limits.BRANCHES);
        assertThat(bench.repository().load(saga.id()).version()).isEqualTo(version);
        assertThat(bench.journal(saga.id())).isEqualTo(journal);
    }

    @Test
    void the_largest_saga_in_one_append() {
        Draft saga = bench.saga();
        List<StoredEvent> journal = new ArrayList<>();
        for (int branch = 0; branch < Limits.BRANCHES; branch++) {
            journal.add(StoredEvent.of("ended", binary(Limits.SAGA_BYTES / Limits.BRANCHES, branch)));
        }
        bench.appended(saga.after(Version.NONE, journal.toArray(StoredEvent[]::new)));

        assertThat(bench.journal(saga.id())).isEqualTo(journal);
    }

    @Test
    void payloads_of_every_byte_and_of_none() {
        Draft saga = bench.saga();
        StoredEvent[] events = {
            StoredEvent.of("none", new byte[0]),
            StoredEvent.of("zeros", new byte[3]),
            StoredEvent.of("every", binary(Limits.PAYLOAD_BYTES, 0)),
            StoredEvent.of("with an envelope", binary(Limits.PAYLOAD_BYTES + 4_096, 77)),
        };
        bench.appended(saga.after(Version.NONE, events));

        assertThat(bench.journal(saga.id())).containsExactly(events);
    }

    @Test
    void the_longest_and_the_shortest_ids() {
        String unique = Bench.newId().value();
        SagaId longest = new SagaId((unique + ":_." + "Z".repeat(Limits.ID_CHARS)).substring(0, Limits.ID_CHARS));
        Draft saga = Draft.of(longest, bench.service, BASE).wakeUpAt(BASE);
        bench.begin(saga);
        assertThat(bench.journal(longest)).hasSize(1);
        bench.shows(() -> assertThat(bench.summary(longest)).contains(saga.summary()));
        assertThat(bench.due(BASE, 10)).contains(longest);

        // One character is not unique in a store that is not new: whatever is there, the append after it succeeds.
        SagaId shortest = new SagaId("-");
        Version before = bench.repository().load(shortest).version();
        Version after = bench.appended(Draft.of(shortest, bench.service, BASE).after(before, event("short")));
        assertThat(bench.repository().load(shortest).version()).isEqualTo(after);
    }

    @Test
    void the_longest_the_empty_and_the_foreign_texts() {
        String name = "ß漢字🚆\t\r\n'\"\\;-- \u0001" + "n".repeat(Limits.NAME_CHARS - 30);
        String reason = "🧨".repeat(Limits.REASON_CHARS / 2);
        Map<String, String> attributes = new HashMap<>(Map.of(name, name));
        while (attributes.size() < Limits.ATTRIBUTES) attributes.put(attributes.size() + name.substring(2), name);
        SagaSummary full = new SagaSummary(
                Bench.newId(),
                State.SUSPENDED,
                name,
                name,
                name,
                Set.of(bench.service, name),
                Limits.BRANCHES,
                reason,
                true,
                Instant.EPOCH,
                BASE,
                Optional.of(Instant.parse("9999-12-31T23:59:59.999Z")),
                Optional.of(Instant.parse("1969-12-31T23:59:59.999Z")),
                attributes,
                Optional.of(Instant.EPOCH));
        SagaSummary empty = new SagaSummary(
                Bench.newId(),
                State.ACTIVE,
                "",
                "",
                "",
                Set.of(bench.service, ""),
                0,
                "",
                false,
                BASE,
                BASE,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty());
        bench.begin(List.of(new Draft(full), new Draft(empty)));

        bench.shows(() -> assertThat(bench.find(bench.mine())).containsExactly(empty, full));
        assertThat(bench.find(bench.mine(name))).containsExactly(full);
        assertThat(bench.find(bench.mine("🧨"))).containsExactly(full);
        attributes.forEach((attribute, value) -> assertThat(
                        bench.find(bench.mine().attribute(new Attribute(attribute, value))))
                .containsExactly(full));
    }

    @Test
    void as_many_services_as_branches() {
        Set<String> services = new HashSet<>(Set.of(bench.service));
        while (services.size() < Limits.BRANCHES) services.add("service-" + services.size());
        Draft saga = bench.saga().services(services.toArray(String[]::new));
        bench.begin(saga);

        bench.shows(() -> assertThat(bench.find(bench.mine())).containsExactly(saga.summary()));
    }

    @Test
    void the_largest_batch() {
        List<Draft> sagas = bench.sagas(BATCH, saga -> saga.wakeUpAt(Bench.LATE));
        List<Version> versions = bench.begin(sagas);
        List<AppendResult> results = bench.repository()
                .append(java.util.stream.IntStream.range(0, BATCH)
                        .mapToObj(i -> sagas.get(i).after(versions.get(i), event("next of " + i), event("last")))
                        .toList());

        assertThat(results).hasSize(BATCH).allMatch(Appended.class::isInstance);
        for (int i = 0; i < BATCH; i++) {
            assertThat(bench.journal(sagas.get(i).id()))
                    .containsExactly(event("begun"), event("next of " + i), event("last"));
        }
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(BATCH));
    }

    @Test
    void the_largest_batch_by_bytes() {
        List<Draft> sagas = bench.sagas(LARGEST_SAGAS, saga -> saga);
        List<Append> batch = new ArrayList<>();
        for (int i = 0; i < LARGEST_SAGAS; i++) {
            List<StoredEvent> journal = new ArrayList<>();
            for (int bytes = 0; bytes < Limits.SAGA_BYTES; bytes += Limits.PAYLOAD_BYTES) {
                journal.add(StoredEvent.of("ended", binary(Limits.PAYLOAD_BYTES, i + bytes)));
            }
            batch.add(sagas.get(i).after(Version.NONE, journal.toArray(StoredEvent[]::new)));
        }

        assertThat(bench.repository().append(batch)).hasSize(LARGEST_SAGAS).allMatch(Appended.class::isInstance);
        for (Append each : batch) assertThat(bench.journal(each.id())).isEqualTo(each.events());
    }

    private static byte[] binary(int length, int first) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) bytes[i] = (byte) (first + i);
        return bytes;
    }
}
