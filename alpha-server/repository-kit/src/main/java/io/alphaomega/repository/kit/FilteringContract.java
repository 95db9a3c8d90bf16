package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sagas a search finds. */
abstract class FilteringContract {
    private final Bench bench;

    FilteringContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void by_state() {
        List<Draft> sagas = Stream.of(State.values())
                .map(state -> bench.saga().state(state))
                .toList();
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSameSizeAs(sagas));

        for (Draft saga : sagas) {
            assertThat(bench.find(bench.mine().in(saga.summary().state()))).containsExactly(saga.summary());
        }
        assertThat(bench.find(bench.mine().in(State.SUSPENDED, State.COMMITTED)))
                .extracting(SagaSummary::state)
                .containsExactlyInAnyOrder(State.SUSPENDED, State.COMMITTED);
    }

    @Test
    void by_any_service_that_takes_part_spelt_out() {
        String hotel = "Hotel-" + Bench.newId();
        Draft with = bench.saga().services(bench.service, hotel);
        Draft without = bench.saga();
        bench.begin(List.of(with, without));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));

        assertThat(bench.find(SagaQuery.ALL.of(hotel))).containsExactly(with.summary());
        for (String other : List.of(hotel.substring(1), hotel + "x", hotel.replace('H', 'h'), "%", "")) {
            assertThat(bench.find(SagaQuery.ALL.of(other)))
                    .as("by service '%s'", other)
                    .doesNotContain(with.summary());
        }
    }

    @Test
    void by_a_part_of_the_id_the_business_key_the_operation_or_the_reason() {
        Draft key = bench.saga().businessKey("Order 0815/Zürich");
        Draft operation = bench.saga().operation("Trips.bookAll");
        Draft reason = bench.saga().reason("Branch CAR failed: none left");
        bench.begin(List.of(key, operation, reason));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(3));

        assertFound(key, key.id().value(), key.id().value().substring(3, 30), " 0815", "ORDER 0815/ZÜRICH", "zür");
        assertFound(operation, "trips.BOOKALL", "Trips.");
        assertFound(reason, "branch car FAILED", "left", ": none");
        assertThat(bench.find(bench.mine(" 0816"))).isEmpty();
        assertThat(bench.find(bench.mine(""))).hasSize(3);
        assertThat(bench.find(bench.mine(bench.service)))
                .as("the service is not among the texts")
                .isEmpty();
    }

    @Test
    void wildcards_quotes_and_escapes_in_the_text_are_what_they_are() {
        List<String> texts = List.of("50% off", "50_ off", "50\\ off", "50' off", "50\" off", "50* off", "50? off");
        List<Draft> sagas =
                texts.stream().map(text -> bench.saga().reason(text)).toList();
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(texts.size()));

        for (int i = 0; i < texts.size(); i++) {
            assertFound(
                    sagas.get(i),
                    texts.get(i),
                    texts.get(i).substring(1, 5),
                    texts.get(i).substring(2, 3));
        }
        assertThat(bench.find(bench.mine("%%"))).isEmpty();
        assertThat(bench.find(bench.mine("50.%"))).isEmpty();
    }

    @Test
    void by_time_from_inclusive_to_exclusive() {
        List<Draft> sagas = new ArrayList<>();
        for (int i = 0; i < 5; i++) sagas.add(bench.saga().begunAt(BASE.plusMillis(i)));
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(5));

        Instant one = BASE.plusMillis(1);
        Instant three = BASE.plusMillis(3);
        assertThat(bench.find(bench.mine().from(one).to(three)))
                .containsExactly(sagas.get(2).summary(), sagas.get(1).summary());
        assertThat(bench.find(bench.mine().from(three)))
                .containsExactly(sagas.get(4).summary(), sagas.get(3).summary());
        assertThat(bench.find(bench.mine().to(one)))
                .containsExactly(sagas.get(0).summary());
        assertThat(bench.find(bench.mine().from(one).to(one))).isEmpty();
    }

    @Test
    void by_everything_at_once() {
        Draft wanted = bench.saga()
                .state(State.SUSPENDED)
                .operation("Trips.book")
                .businessKey("4711")
                .reason("hotel does not answer")
                .updatedAt(BASE.plusMillis(9));
        bench.begin(List.of(
                wanted,
                another(wanted).state(State.ACTIVE),
                another(wanted).services("another"),
                another(wanted).operation("Trips.bookAll"),
                another(wanted).businessKey("47110"),
                another(wanted).reason("car does not answer"),
                another(wanted).begunAt(BASE.minusMillis(1)),
                another(wanted).begunAt(BASE.plusMillis(1)),
                another(wanted).updatedAt(BASE.plusMillis(8)),
                another(wanted).ended(State.SUSPENDED, BASE.plusMillis(9))));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(9));

        SagaQuery query = SagaQuery.ALL
                .in(State.SUSPENDED, State.COMPENSATING)
                .of(bench.service)
                .operation("Trips.book")
                .businessKey("4711")
                .text("HOTEL")
                .reason("does NOT")
                .from(BASE)
                .to(BASE.plusMillis(1))
                .changedSince(BASE.plusMillis(9))
                .lasting(Duration.ofMillis(10), BASE.plusMillis(10));
        assertThat(bench.find(query)).containsExactly(wanted.summary());
        assertThat(bench.find(query.id(wanted.id()))).containsExactly(wanted.summary());
        assertThat(bench.find(query.id(Bench.newId()))).isEmpty();
    }

    private static Draft another(Draft like) {
        return like.id(Bench.newId());
    }

    @Test
    void by_the_id_to_the_letter() {
        String stem = Bench.newId().value().substring(0, 30);
        List<Draft> sagas = Stream.of("a", "A", "aa")
                .map(end -> Draft.of(new SagaId(stem + end), bench.service, BASE))
                .toList();
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(3));

        for (Draft saga : sagas) {
            assertThat(bench.find(SagaQuery.ALL.id(saga.id()))).containsExactly(saga.summary());
        }
        assertThat(bench.find(SagaQuery.ALL.id(new SagaId(stem)))).isEmpty();
        assertThat(bench.find(SagaQuery.ALL.id(sagas.getFirst().id()).in(State.COMMITTED)))
                .isEmpty();
    }

    @Test
    void by_the_operation_to_the_letter() {
        Draft book = bench.saga().operation("Trips.book");
        Draft longer = bench.saga().operation("Trips.bookAll");
        Draft none = bench.saga().operation("").reason("Trips.book");
        bench.begin(List.of(book, longer, none));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(3));

        for (Draft saga : List.of(book, longer, none)) {
            assertThat(bench.find(bench.mine().operation(saga.summary().operation())))
                    .containsExactly(saga.summary());
        }
        for (String other : List.of("trips.book", "rips.book", "Trips.boo", "Trips.book ", "Trips_book", "%")) {
            assertThat(bench.find(bench.mine().operation(other)))
                    .as("by operation '%s'", other)
                    .isEmpty();
        }
    }

    @Test
    void by_the_business_key_to_the_letter() {
        String longest = "Zürich ".repeat(80).substring(0, 511);
        List<Draft> sagas = Stream.of("Order 4711", "Order 47110", "", longest + "1", longest + "2")
                .map(key -> bench.saga().businessKey(key))
                .toList();
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSameSizeAs(sagas));

        for (Draft saga : sagas) {
            assertThat(bench.find(bench.mine().businessKey(saga.summary().businessKey())))
                    .containsExactly(saga.summary());
        }
        for (String other :
                List.of("order 4711", "rder 4711", "Order 471", "Order 4711 ", "Order_4711", "%", longest)) {
            assertThat(bench.find(bench.mine().businessKey(other)))
                    .as("by business key '%s'", other)
                    .isEmpty();
        }
    }

    @Test
    void by_the_business_key_from_when_it_is_known_whatever_becomes_of_the_saga() {
        String key = "order " + Bench.newId();
        Draft unknown = bench.saga();
        Version begun = bench.begin(unknown);
        Draft known = unknown.businessKey(key);
        Version next = bench.appended(known.after(begun, event("caught up")));
        bench.shows(() -> assertThat(bench.find(SagaQuery.ALL.businessKey(key))).containsExactly(known.summary()));

        Draft joined = known.services(bench.service, "hotel");
        Version after = bench.appended(joined.after(next, event("joined")));
        Draft earlier = joined.begunAt(BASE.minusSeconds(1));
        Version last = bench.appended(earlier.after(after, event("begun earlier")));
        Draft ended = earlier.ended(State.COMMITTED, BASE.plusSeconds(1));
        bench.appended(ended.after(last, event("ended")));
        bench.shows(() -> assertThat(bench.find(SagaQuery.ALL.businessKey(key))).containsExactly(ended.summary()));
    }

    @Test
    void by_a_part_of_the_reason_alone() {
        Draft with = bench.saga().state(State.SUSPENDED).reason("Hotel gibt 50% nicht zurück");
        Draft without = bench.saga().operation("Hotel gibt").businessKey("50% nicht zurück");
        bench.begin(List.of(with, without));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(2));

        for (String part : List.of("Hotel gibt", "NICHT ZURÜCK", "0% n", "%", "rü")) {
            assertThat(bench.find(bench.mine().reason(part)))
                    .as("by reason '%s'", part)
                    .containsExactly(with.summary());
        }
        assertThat(bench.find(bench.mine().reason("50%zurück"))).isEmpty();
        assertThat(bench.find(bench.mine().reason(""))).hasSize(2);
    }

    @Test
    void by_its_last_change_from_inclusive() {
        List<Draft> sagas = new ArrayList<>();
        for (int i = 0; i < 3; i++) sagas.add(bench.saga().updatedAt(BASE.plusMillis(i)));
        bench.begin(sagas);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(3));

        assertThat(bench.find(bench.mine().changedSince(BASE.plusMillis(1))))
                .containsExactlyInAnyOrder(sagas.get(1).summary(), sagas.get(2).summary());
        assertThat(bench.find(bench.mine().changedSince(BASE.plusMillis(3)))).isEmpty();
    }

    @Test
    void by_how_long_it_took_or_has_been_open() {
        Draft slow = bench.saga().ended(State.COMMITTED, BASE.plusMillis(10));
        Draft quick = bench.saga().ended(State.COMPENSATED, BASE.plusMillis(9));
        Draft old = bench.saga().begunAt(BASE.minusMillis(5));
        Draft young = bench.saga().begunAt(BASE.minusMillis(4));
        bench.begin(List.of(slow, quick, old, young));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(4));

        Duration ten = Duration.ofMillis(10);
        assertThat(bench.find(bench.mine().lasting(ten, BASE.plusMillis(5))))
                .containsExactlyInAnyOrder(slow.summary(), old.summary());
        assertThat(bench.find(bench.mine().lasting(ten, BASE.plusMillis(6))))
                .containsExactlyInAnyOrder(slow.summary(), old.summary(), young.summary());
        assertThat(bench.find(bench.mine().lasting(ten, BASE.plusSeconds(60))))
                .as("what has ended takes no longer")
                .doesNotContain(quick.summary());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void whatever_is_looked_for_its_pages_have_no_gaps_and_no_repeats(int limit) {
        AtomicInteger number = new AtomicInteger();
        List<Draft> sagas = bench.sagas(24, saga -> {
            int n = number.getAndIncrement();
            Draft begun = saga.begunAt(BASE.plusMillis(n / 6));
            if (n % 3 > 0) return begun.updatedAt(BASE);
            return begun.operation("Trips.book")
                    .businessKey("order 4711")
                    .reason("none left")
                    .updatedAt(BASE.plusSeconds(2))
                    .ended(State.COMPENSATED, BASE.plusSeconds(2));
        });
        bench.begin(sagas);
        List<SagaSummary> ordered = sagas.stream()
                .map(Draft::summary)
                .filter(saga -> saga.state() == State.COMPENSATED)
                .sorted(FindingContract.NEWEST_FIRST)
                .toList();
        assertThat(ordered).hasSize(8);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSameSizeAs(sagas));

        SagaQuery mine = bench.mine();
        Map<String, SagaQuery> queries = Map.of(
                "operation", mine.operation("Trips.book"),
                "business key", mine.businessKey("order 4711"),
                "reason", mine.reason("NONE"),
                "last change", mine.changedSince(BASE.plusSeconds(1)),
                "duration", mine.lasting(Duration.ofSeconds(1), BASE.plusMillis(900)));
        queries.forEach((by, query) -> assertThat(
                        Bench.everyPage(cursor -> bench.repository().find(query, cursor, limit)))
                .as("by %s", by)
                .containsExactlyElementsOf(ordered));
    }

    private void assertFound(Draft saga, String... texts) {
        for (String text : texts) {
            assertThat(bench.find(bench.mine(text))).as("by text '%s'", text).containsExactly(saga.summary());
        }
    }
}
