package io.alphaomega.server.search;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Brings into the index what it may have missed since a time: the sagas that have begun since, those that the journal
 * says are unfinished, and those that the index believes to be. Goes a page at a time, and after a failure on from there.
 *
 * <p>What it cannot know of is a compensated saga that was reopened and compensated again in the meantime: it was right
 * before, and only its times are old.
 */
final class CatchUp {
    private static final int PAGE = 200;

    /** A saga is appended later than it says that it begun: after a queue, on a node whose clock is another. */
    private static final Duration MARGIN = Duration.ofMinutes(10);

    private static final Set<State> UNFINISHED =
            Set.copyOf(EnumSet.of(State.ACTIVE, State.CONFIRMING, State.COMPENSATING, State.SUSPENDED));

    private enum Phase {
        BEGUN_SINCE,
        UNFINISHED,
        BELIEVED_UNFINISHED,
        GONE,
        OVER
    }

    private final Instant since;
    private final SagaRepository journal;
    private final ElasticsearchSagaIndex index;
    private final SummaryRebuild rebuild;
    private Phase phase = Phase.BEGUN_SINCE;
    private Cursor cursor = Cursor.START;
    private long done;

    /** @param since the epoch for everything there is */
    CatchUp(Instant since, SagaRepository journal, ElasticsearchSagaIndex index) {
        this.since = since;
        this.journal = journal;
        this.index = index;
        this.rebuild = new SummaryRebuild(journal);
    }

    Instant since() {
        return since;
    }

    /** How many sagas were looked at. */
    long done() {
        return done;
    }

    /** Does a page; whether there is more to do. What fails may be tried again. */
    boolean step() {
        switch (phase) {
            case BEGUN_SINCE -> page(journal.find(begunSince(), cursor, PAGE));
            case UNFINISHED -> page(journal.find(unfinished(), cursor, PAGE));
            case BELIEVED_UNFINISHED -> page(index.find(unfinished(), cursor, PAGE));
            case GONE -> {
                boolean all = index.purge(SummaryRebuild.GONE_AT.plusSeconds(1), PAGE) < PAGE;
                if (all) nextPhase();
            }
            case OVER -> {}
        }
        return phase != Phase.OVER;
    }

    private void page(Page<SagaSummary> page) {
        List<Entry> entries = page.items().stream().map(rebuild::remake).toList();
        index.put(entries);
        done += entries.size();
        page.next().ifPresentOrElse(next -> cursor = next, this::nextPhase);
    }

    private void nextPhase() {
        boolean everything = since.equals(Instant.EPOCH);
        phase = switch (phase) {
            case BEGUN_SINCE -> everything ? Phase.BELIEVED_UNFINISHED : Phase.UNFINISHED;
            case UNFINISHED -> Phase.BELIEVED_UNFINISHED;
            case BELIEVED_UNFINISHED -> Phase.GONE;
            case GONE, OVER -> Phase.OVER;
        };
        cursor = Cursor.START;
    }

    private SagaQuery begunSince() {
        return since.equals(Instant.EPOCH) ? SagaQuery.ALL : SagaQuery.ALL.from(since.minus(MARGIN));
    }

    private static SagaQuery unfinished() {
        return SagaQuery.ALL.in(UNFINISHED);
    }
}
