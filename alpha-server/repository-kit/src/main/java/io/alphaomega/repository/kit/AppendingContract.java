package io.alphaomega.repository.kit;

import static io.alphaomega.repository.kit.Bench.event;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.AppendResult.Conflict;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.StoredEvent;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What is appended is stored: all of an item, in order, and nothing else. */
abstract class AppendingContract {
    private final Bench bench;

    AppendingContract(Bench bench) {
        this.bench = bench;
    }

    @Test
    void what_was_appended_is_loaded_in_order() {
        Draft saga = bench.saga();
        Version first = bench.appended(saga.after(Version.NONE, event("a"), event("b")));
        Version second = bench.appended(saga.after(first, event("c")));
        bench.appended(saga.after(second, event("d"), event("e"), event("f")));

        assertThat(bench.journal(saga.id()))
                .containsExactly(event("a"), event("b"), event("c"), event("d"), event("e"), event("f"));
    }

    @Test
    void an_append_returns_the_version_that_load_returns() {
        Draft saga = bench.saga();
        Version first = bench.appended(saga.after(Version.NONE, event("a"), event("b")));
        assertThat(first.sequence()).isEqualTo(2);
        assertThat(bench.repository().load(saga.id()).version()).isEqualTo(first);

        Version second = bench.appended(saga.after(first, event("c")));
        assertThat(second.sequence()).isEqualTo(3);
        assertThat(bench.repository().load(saga.id()).version()).isEqualTo(second);
    }

    @Test
    void each_append_has_its_own_token() {
        Draft saga = bench.saga();
        List<Version> versions = new ArrayList<>(List.of(Version.NONE));
        for (int i = 0; i < 5; i++) versions.add(bench.appended(saga.after(versions.getLast(), event("e" + i))));

        assertThat(versions).extracting(Version::token).doesNotHaveDuplicates();
    }

    @Test
    void every_item_of_a_batch_is_stored_and_answered_in_order() {
        List<Draft> sagas = bench.sagas(20, saga -> saga);
        List<AppendResult> results = bench.repository()
                .append(sagas.stream()
                        .map(saga -> saga.after(Version.NONE, event("of " + saga.id()), event("more of " + saga.id())))
                        .toList());

        assertThat(results).hasSize(20);
        for (int i = 0; i < 20; i++) {
            SagaId id = sagas.get(i).id();
            Loaded loaded = bench.repository().load(id);
            assertThat(loaded.events()).containsExactly(event("of " + id), event("more of " + id));
            assertThat(results.get(i)).isEqualTo(new Appended(loaded.version()));
        }
    }

    @Test
    void the_items_of_a_batch_fail_alone() {
        Draft stale = bench.saga();
        Draft fresh = bench.saga();
        Draft going = bench.saga();
        Version stood = bench.begin(stale);
        Version went = bench.begin(going);

        List<AppendResult> results = bench.repository()
                .append(List.of(
                        stale.after(Version.NONE, event("late"), event("later")),
                        fresh.after(Version.NONE, event("fine")),
                        going.after(went, event("next"))));

        assertThat(results).hasSize(3);
        assertThat(results.get(0)).isEqualTo(new Conflict(stood));
        assertThat(results.get(1)).isInstanceOf(Appended.class);
        assertThat(results.get(2)).isInstanceOf(Appended.class);
        assertThat(bench.journal(stale.id())).containsExactly(event("begun"));
        assertThat(bench.journal(fresh.id())).containsExactly(event("fine"));
        assertThat(bench.journal(going.id())).containsExactly(event("begun"), event("next"));
    }

    @Test
    void an_empty_batch_changes_nothing() {
        assertThat(bench.repository().append(List.of())).isEmpty();
    }

    @Test
    void equal_events_are_kept_apart() {
        Draft saga = bench.saga();
        Version first = bench.appended(saga.after(Version.NONE, event("same"), event("same")));
        bench.appended(saga.after(first, event("same")));

        assertThat(bench.journal(saga.id())).containsExactly(event("same"), event("same"), event("same"));
    }

    @Test
    void a_damaged_event_is_returned_as_it_was_given() {
        Draft saga = bench.saga();
        StoredEvent damaged = new StoredEvent("damaged", new byte[] {1, 2, 3}, 0xDEADBEEF);
        bench.appended(saga.after(Version.NONE, damaged));

        assertThat(bench.journal(saga.id())).containsExactly(damaged);
        assertThat(bench.journal(saga.id()).getFirst().isIntact()).isFalse();
    }

    @Test
    void sagas_with_similar_ids_are_kept_apart() {
        String stem = Bench.newId().value().substring(0, 30);
        List<Draft> sagas = Stream.of("a", "A", "aa", "a-", "a_", "a.", "a:", "a:1", "b", "1")
                .map(end -> Draft.of(new SagaId(stem + end), bench.service, Bench.BASE))
                .toList();
        for (Draft saga : sagas) {
            bench.appended(saga.after(Version.NONE, event("of " + saga.id())));
        }

        for (Draft saga : sagas) {
            assertThat(bench.journal(saga.id())).containsExactly(event("of " + saga.id()));
        }
        assertThat(bench.repository().load(new SagaId(stem))).isEqualTo(Loaded.NOTHING);
    }
}
