package io.alphaomega.repository.jdbc.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.campaign.Ledger;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Texts are compared byte by byte where they are keys, and by people's eyes where people search. */
@Timeout(300)
final class ServerTextsTest {

    static Stream<Servers> servers() {
        return Servers.all();
    }

    private static Append saga(String id, String reason, String... services) {
        Append plain = Ledger.item(id, Version.NONE, 1);
        SagaSummary s = plain.summary();
        return new Append(
                s.id(),
                plain.expected(),
                plain.events(),
                new SagaSummary(
                        s.id(),
                        s.state(),
                        s.service(),
                        s.operation(),
                        s.businessKey(),
                        Set.of(services),
                        s.branches(),
                        reason,
                        s.manual(),
                        s.begunAt(),
                        s.updatedAt(),
                        s.endedAt(),
                        s.wakeUpAt(),
                        s.attributes(),
                        s.orderedAt()));
    }

    private static List<String> found(SagaRepository repository, String service, Optional<String> text) {
        SagaQuery all = SagaQuery.ALL.of(service);
        SagaQuery query = text.map(all::text).orElse(all);
        return repository.find(query, Cursor.START, 100).items().stream()
                .map(saga -> saga.id().value())
                .toList();
    }

    @ParameterizedTest
    @MethodSource("servers")
    void ids_and_services_that_differ_by_case_or_by_spaces_or_by_an_accent_are_different(Servers servers) {
        String unique = UUID.randomUUID().toString();
        List<String> ids = List.of(unique + "a", unique + "A");
        List<String> services = Stream.of("hotel", "Hotel", "hotel ", " hotel", "hótel", "hotel\t", "hotel\u0000")
                .map(unique::concat)
                .toList();
        try (SagaRepository repository =
                Patience.opened(ServerStore.repository(servers.shared().url()))) {
            List<Append> batch = new ArrayList<>();
            for (String id : ids) batch.add(saga(id, "", unique));
            for (int i = 0; i < services.size(); i++) batch.add(saga(unique + i, "", services.get(i)));
            assertThat(repository.append(batch)).hasOnlyElementsOfType(Appended.class);

            assertThat(found(repository, unique, Optional.empty())).containsExactlyInAnyOrderElementsOf(ids);
            for (int i = 0; i < services.size(); i++) {
                assertThat(found(repository, services.get(i), Optional.empty()))
                        .as(services.get(i))
                        .containsExactly(unique + i);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("servers")
    void a_search_by_text_knows_no_case_and_no_wildcards(Servers servers) {
        String unique = UUID.randomUUID().toString();
        String id = unique + "x";
        String reason = "100% ÄRGER_über Ωμέγα 🧨 c:\\temp 'it''s' \"so\" ЖУК\u0000\u0010.";
        try (SagaRepository repository =
                Patience.opened(ServerStore.repository(servers.shared().url()))) {
            repository.append(List.of(saga(id, reason, unique), saga(unique + "y", "1000 arger uber omega", unique)));

            for (String text : List.of(
                    "ärger",
                    "ÜBER",
                    "0% ä",
                    "R_ü",
                    "ωΜΈγα",
                    "🧨",
                    "C:\\TEMP",
                    "\\",
                    "'IT''S'",
                    "\"so\"",
                    "жук",
                    "\u0000",
                    "\u0010",
                    "ЖУК\u0000\u0010.")) {
                assertThat(found(repository, unique, Optional.of(text)))
                        .as(text)
                        .containsExactly(id);
            }
            for (String text : List.of("1%0", "ärger über", "r.ü", "1_0", "ω%α", "💣", "\u0010.0", "\u00100")) {
                assertThat(found(repository, unique, Optional.of(text)))
                        .as(text)
                        .isEmpty();
            }
            assertThat(repository
                            .find(SagaQuery.ALL.of(unique).text("ЖУК"), Cursor.START, 10)
                            .items())
                    .extracting(SagaSummary::reason)
                    .containsExactly(reason);
        }
    }

    /** The largest group commit, and the worst there is for whoever escapes it. */
    @ParameterizedTest
    @MethodSource("servers")
    void a_batch_of_a_mebibyte_of_quotes_is_stored(Servers servers) {
        byte[] quotes = new byte[Limits.PAYLOAD_BYTES];
        Arrays.fill(quotes, (byte) '\'');
        String unique = UUID.randomUUID().toString();
        try (SagaRepository repository =
                Patience.opened(ServerStore.repository(servers.shared().url()))) {
            List<Append> batch = new ArrayList<>();
            for (int i = 0; i < 256; i++) {
                Append plain = Ledger.item(unique + i, Version.NONE, 1);
                StoredEvent event = i % 16 == 0
                        ? StoredEvent.of("quotes", quotes)
                        : plain.events().getFirst();
                batch.add(new Append(plain.id(), plain.expected(), List.of(event), plain.summary()));
            }
            assertThat(repository.append(batch)).hasSize(256).hasOnlyElementsOfType(Appended.class);
            for (Append item : batch) {
                assertThat(repository.load(item.id()).events()).isEqualTo(item.events());
            }
        }
    }
}
