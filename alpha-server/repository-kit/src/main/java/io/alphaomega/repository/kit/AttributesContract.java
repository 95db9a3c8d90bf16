package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.BASE;
import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.Version;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sagas a search by an attribute finds. */
abstract class AttributesContract {
    /** Before that of any other test, so that only sagas of this one have ended by then. */
    private static final Instant ERA = Instant.parse("1970-03-01T00:00:00Z");

    private final Bench bench;

    AttributesContract(Bench bench) {
        this.bench = bench;
    }

    /** Nobody else's: sets the sagas of this test apart, whatever their services are. */
    private final String nobodyElses = Bench.newId().value();

    @Test
    void name_and_value_to_the_letter() {
        Draft acme = bench.saga().attributes(Map.of("tenant", "Acme", "country", "NZ"));
        Draft longer = bench.saga().attributes(Map.of("tenant", "Acme 2", "land", "NZ"));
        Draft swapped = bench.saga().attributes(Map.of("Acme", "tenant", "tenants", "Acme"));
        Draft empty = bench.saga().attributes(Map.of("tenant", ""));
        Draft odd = bench.saga().attributes(Map.of("a=b", "c\n%", "a\\", "=b"));
        Draft none = bench.saga().businessKey("tenant=Acme").reason("tenant=Acme");
        bench.begin(List.of(acme, longer, swapped, empty, odd, none));
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSize(6));

        assertFound(acme, "tenant", "Acme");
        assertFound(acme, "country", "NZ");
        assertFound(longer, "tenant", "Acme 2");
        assertFound(swapped, "Acme", "tenant");
        assertFound(empty, "tenant", "");
        assertFound(odd, "a=b", "c\n%");
        assertFound(odd, "a\\", "=b");
        for (Attribute other : List.of(
                new Attribute("tenant", "acme"),
                new Attribute("Tenant", "Acme"),
                new Attribute("tenant", "Acm"),
                new Attribute("tenant", "Acme "),
                new Attribute("country", "Acme"),
                new Attribute("tenant", "%"),
                new Attribute("", "Acme"),
                new Attribute("a", "b=c\n%"))) {
            assertThat(bench.find(bench.mine().attribute(other)))
                    .as("by %s", other)
                    .isEmpty();
        }
    }

    private void assertFound(Draft saga, String name, String value) {
        assertThat(bench.find(bench.mine().attribute(new Attribute(name, value))))
                .as("by %s=%s", name, value)
                .containsExactly(saga.summary());
    }

    @Test
    void from_when_it_is_known_whatever_becomes_of_the_saga() {
        SagaQuery query = SagaQuery.ALL.attribute(new Attribute("tenant", nobodyElses));
        Draft unknown = bench.saga();
        Version begun = bench.begin(unknown);
        Draft known = unknown.attributes(Map.of("tenant", nobodyElses, "country", "NZ"));
        Version next = bench.appended(known.after(begun, event("caught up")));
        bench.shows(() -> assertThat(bench.find(query)).containsExactly(known.summary()));

        Draft joined = known.services(bench.service, "hotel").businessKey("4711");
        Version after = bench.appended(joined.after(next, event("joined")));
        Draft earlier = joined.begunAt(BASE.minusSeconds(1));
        Version moved = bench.appended(earlier.after(after, event("begun earlier")));
        Draft ordered = earlier.state(State.COMPENSATING).orderedAt(BASE.plusSeconds(1));
        Version last = bench.appended(ordered.after(moved, event("ordered")));
        bench.shows(() -> assertThat(bench.find(query)).containsExactly(ordered.summary()));
        Draft ended = ordered.ended(State.COMPENSATED, BASE.plusSeconds(2));
        bench.appended(ended.after(last, event("ended")));
        bench.shows(() -> assertThat(bench.find(query)).containsExactly(ended.summary()));
        assertThat(bench.find(query.from(BASE))).isEmpty();
        assertThat(bench.find(SagaQuery.ALL.businessKey("4711").of(bench.service)))
                .containsExactly(ended.summary());
    }

    @Test
    void with_other_conditions() {
        Attribute attribute = new Attribute("tenant", nobodyElses);
        Draft wanted = bench.saga()
                .state(State.SUSPENDED)
                .attributes(Map.of("tenant", nobodyElses))
                .operation("Trips.book")
                .businessKey("order " + nobodyElses)
                .reason("hotel does not answer");
        bench.begin(List.of(
                wanted,
                another(wanted).state(State.COMMITTED),
                another(wanted).services("another"),
                another(wanted).attributes(Map.of("tenant", "another")),
                another(wanted).attributes(Map.of()),
                another(wanted).operation("Trips.bookAll"),
                another(wanted).businessKey("another"),
                another(wanted).begunAt(BASE.plusMillis(1))));
        SagaQuery tenant = SagaQuery.ALL.attribute(attribute);
        bench.shows(() -> assertThat(bench.find(tenant)).hasSize(6));

        assertThat(bench.find(tenant.in(State.SUSPENDED))).hasSize(5);
        assertThat(bench.find(tenant.in(State.COMMITTED))).hasSize(1);
        assertThat(bench.find(tenant.in(State.SUSPENDED, State.COMMITTED))).hasSize(6);
        assertThat(bench.find(tenant.of("another"))).hasSize(1);
        assertThat(bench.find(tenant.from(BASE.plusMillis(1)))).hasSize(1);
        assertThat(bench.find(tenant.to(BASE))).isEmpty();
        assertThat(bench.find(tenant.businessKey("another"))).hasSize(1);
        assertThat(bench.find(tenant.id(wanted.id()))).containsExactly(wanted.summary());
        SagaQuery everything = tenant.in(State.SUSPENDED, State.COMPENSATING)
                .of(bench.service)
                .operation("Trips.book")
                .businessKey("order " + nobodyElses)
                .text("HOTEL")
                .reason("answer")
                .from(BASE)
                .to(BASE.plusMillis(1));
        assertThat(bench.find(everything)).containsExactly(wanted.summary());
        assertThat(bench.find(everything.attribute(new Attribute("tenant", "nobody"))))
                .isEmpty();
    }

    private static Draft another(Draft like) {
        return like.id(Bench.newId());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void pages_have_no_gaps_and_no_repeats(int limit) {
        AtomicInteger number = new AtomicInteger();
        List<Draft> sagas = bench.sagas(24, saga -> {
            int n = number.getAndIncrement();
            Draft begun = saga.begunAt(BASE.plusMillis(n / 6));
            if (n % 3 > 0) return begun.attributes(Map.of("tenant", "another"));
            return begun.attributes(Map.of("tenant", nobodyElses))
                    .ended(n % 2 == 0 ? State.COMMITTED : State.COMPENSATED, BASE.plusSeconds(2));
        });
        bench.begin(sagas);
        List<SagaSummary> inOrder = sagas.stream()
                .map(Draft::summary)
                .filter(saga -> saga.state().isEnded())
                .sorted(FindingContract.NEWEST_FIRST)
                .toList();
        assertThat(inOrder).hasSize(8);
        bench.shows(() -> assertThat(bench.find(bench.mine())).hasSameSizeAs(sagas));

        SagaQuery query = SagaQuery.ALL.attribute(new Attribute("tenant", nobodyElses));
        for (SagaQuery each : List.of(query, query.of(bench.service), query.in(State.COMMITTED, State.COMPENSATED))) {
            assertThat(Bench.everyPage(cursor -> bench.repository().find(each, cursor, limit)))
                    .containsExactlyElementsOf(inOrder);
        }
        assertThat(bench.find(bench.mine().attribute(new Attribute("tenant", "another"))))
                .hasSize(16);
    }

    @Test
    void a_purged_saga_is_found_no_more() {
        Draft purged = bench.saga()
                .begunAt(ERA)
                .ended(State.COMMITTED, ERA)
                .attributes(Map.of("tenant", nobodyElses, "country", "NZ"));
        Draft stays = bench.saga().attributes(Map.of("tenant", nobodyElses));
        bench.begin(List.of(purged, stays));
        SagaQuery query = SagaQuery.ALL.attribute(new Attribute("tenant", nobodyElses));
        bench.shows(() -> assertThat(bench.find(query)).hasSize(2));

        assertThat(bench.repository().purge(ERA.plusMillis(1), 1)).isEqualTo(1);

        bench.shows(() -> assertThat(bench.find(query)).containsExactly(stays.summary()));
        assertThat(bench.repository().forget(ERA.plusMillis(1), 1)).isEqualTo(1);
    }
}
