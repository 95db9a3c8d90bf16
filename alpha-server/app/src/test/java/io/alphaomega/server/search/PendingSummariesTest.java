package io.alphaomega.server.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AsyncAppends;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.kit.AsyncAppending;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.http.WrittenSaga;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Test;

class PendingSummariesTest {
    private static final Instant T0 = Instant.parse("2026-11-20T08:00:00Z");

    private final PendingSummaries pending = new PendingSummaries(3);

    @Test
    void only_the_newest_of_a_saga_waits_and_its_time_is_that_of_the_oldest() {
        appended("a", 1, 0);
        appended("a", 3, 1);
        appended("a", 2, 2);
        assertThat(pending.take(10, Duration.ZERO)).containsExactly(item("a", 3, 0));
    }

    @Test
    void a_doubtful_append_is_looked_up_unless_a_later_one_tells() {
        doubtful("a", 0, 1);
        appended("a", 2, 1);
        appended("b", 2, 2);
        doubtful("b", 3, 4);
        assertThat(pending.take(10, Duration.ZERO)).containsExactly(item("a", 2, 0), item("b", 2, 2));
        assertThat(pending.doubts(at(9), 10)).containsExactly(doubt("b", 3, 4));
    }

    @Test
    void a_doubt_counts_from_the_last_append_and_what_is_complete_stands_still_until_it_is_settled() {
        doubtful("a", 0, 1);
        doubtful("a", 2, 5);
        assertThat(pending.doubts(at(4), 10)).isEmpty();
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(0));
        assertThat(pending.doubts(at(5), 10)).containsExactly(doubt("a", 0, 5));

        pending.postponed(doubt("a", 0, 5), at(8));
        assertThat(pending.doubts(at(7), 10)).isEmpty();
        doubtful("a", 8, 9);
        pending.settled(doubt("a", 0, 8));
        assertThat(pending.doubts(at(9), 10)).containsExactly(doubt("a", 0, 9));
        pending.settled(doubt("a", 0, 9));
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
    }

    @Test
    void what_lost_and_what_is_unknown_is_in_doubt() {
        InMemorySagaRepository journal = new InMemorySagaRepository();
        Clock clock = Clock.fixed(T0, ZoneOffset.UTC);
        IndexedRepository indexed = new IndexedRepository(journal, pending, clock, () -> {});
        new WrittenSaga(journal, "a").begun("by another node");
        assertThat(new WrittenSaga(indexed, "b").begun("")).isNotNull();
        assertThatThrownBy(() -> new WrittenSaga(indexed, "a").begun("")).isInstanceOf(AssertionError.class);
        assertThat(pending.take(10, Duration.ZERO))
                .extracting(item -> item.summary().id().value())
                .containsExactly("b");
        assertThat(pending.doubts(T0, 10))
                .extracting(doubt -> doubt.summary().id().value())
                .containsExactly("a");
    }

    @Test
    void what_was_appended_on_an_event_loop_is_noted_alike() {
        OnLoop journal = new OnLoop(pending);
        Clock clock = Clock.fixed(T0, ZoneOffset.UTC);
        SagaRepository indexed = new AsyncAppending(new IndexedRepository(journal, pending, clock, () -> {}));
        new WrittenSaga(indexed, "a").begun("");
        journal.fails = true;
        assertThatThrownBy(() -> new WrittenSaga(indexed, "b").begun(""))
                .isInstanceOf(RepositoryUnavailableException.class);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(T0);
        assertThat(pending.take(10, Duration.ZERO))
                .extracting(item -> item.summary().id().value())
                .containsExactly("a");
        assertThat(pending.doubts(T0, 10))
                .extracting(doubt -> doubt.summary().id().value())
                .containsExactly("b");
    }

    /** Appends on the thread that asks, and fails if it is told to. */
    private static final class OnLoop extends ForwardingSagaRepository {
        private final PendingSummaries pending;
        private boolean fails;

        OnLoop(PendingSummaries pending) {
            super(new InMemorySagaRepository());
            this.pending = pending;
        }

        @Override
        public Optional<AsyncAppends> asyncAppends() {
            return Optional.of(new AsyncAppends() {
                @Override
                public Executor loop() {
                    return Runnable::run;
                }

                @Override
                public CompletableFuture<List<AppendResult>> append(List<Append> batch) {
                    assertThat(pending.completeUpTo(at(9)))
                            .as("while it is under way")
                            .isEqualTo(T0);
                    return fails
                            ? CompletableFuture.failedFuture(new RepositoryUnavailableException("gone"))
                            : CompletableFuture.completedFuture(OnLoop.this.append(batch));
                }
            });
        }
    }

    @Test
    void everything_is_complete_up_to_now_when_nothing_waits() {
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
        appended("a", 1, 3);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        pending.take(10, Duration.ZERO);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        pending.done();
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
    }

    @Test
    void an_append_that_is_under_way_is_not_complete() {
        pending.begins(at(1));
        pending.begins(at(2));
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(1));
        pending.over(at(1), List.of(), List.of());
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(2));
        pending.over(at(2), List.of(), List.of());
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(9));
    }

    @Test
    void what_failed_waits_again_behind_the_others_and_newer_news_of_it_win() {
        appended("a", 1, 0);
        pending.take(1, Duration.ZERO);
        appended("b", 1, 1);
        pending.failed();
        assertThat(pending.take(1, Duration.ZERO)).containsExactly(item("b", 1, 1));
        pending.done();

        pending.take(1, Duration.ZERO);
        appended("a", 2, 2);
        pending.failed();
        assertThat(pending.take(1, Duration.ZERO)).containsExactly(item("a", 2, 0));
    }

    @Test
    void what_there_is_no_room_for_is_remembered_by_its_time_only() {
        for (int i = 0; i < 5; i++) appended("s" + i, 1, i);
        appended("s0", 2, 6);
        assertThat(pending.size()).isEqualTo(3);
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(0));
        assertThat(pending.take(10, Duration.ZERO)).hasSize(3);
        pending.done();
        assertThat(pending.completeUpTo(at(9))).isEqualTo(at(3));
        assertThat(pending.takeMissing()).contains(at(3));
        assertThat(pending.takeMissing()).isEmpty();
    }

    private void appended(String saga, long sequence, int second) {
        pending.begins(at(second));
        pending.over(at(second), List.of(item(saga, sequence, second)), List.of());
    }

    private void doubtful(String saga, int begun, int over) {
        pending.begins(at(begun));
        pending.over(at(begun), List.of(), List.of(doubt(saga, begun, over)));
    }

    private static PendingSummaries.Doubt doubt(String saga, int begun, int over) {
        return new PendingSummaries.Doubt(item(saga, 1, begun).summary(), at(begun), at(over));
    }

    /** Of an append at that second. */
    private static PendingSummaries.Item item(String saga, long sequence, int second) {
        SagaSummary summary = new SagaSummary(
                new SagaId(saga),
                SagaSummary.State.ACTIVE,
                "booking",
                "book",
                "",
                Set.of("booking"),
                (int) sequence,
                "",
                false,
                T0,
                T0,
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                Optional.empty());
        return new PendingSummaries.Item(summary, sequence, at(second));
    }

    private static Instant at(int second) {
        return T0.plusSeconds(second);
    }
}
