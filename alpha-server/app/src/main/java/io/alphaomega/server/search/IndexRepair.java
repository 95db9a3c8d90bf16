package io.alphaomega.server.search;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex;
import io.alphaomega.repository.elasticsearch.ElasticsearchSagaIndex.Checkpoint;
import java.time.Clock;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sees to it that the index as a whole becomes complete, and says up to when it is: once in the cluster.
 *
 * <p>The index has a checkpoint of its own, {@value #WHOLE}, which says up to when everything that any node appended is in
 * it. It moves only while every member of the cluster has a checkpoint. So whoever dies with something untold, even
 * without ever having reached the index, has it caught up from there: when a checkpoint is found whose node is no member,
 * when a member goes that had none, and when a repair starts. Without {@value #WHOLE}, the index is new or was
 * cleared, and everything is caught up.
 */
final class IndexRepair {
    static final String WHOLE = "index";

    /** Each catch-up has a checkpoint while it lasts: who clears the index deletes it, and so is noticed. */
    private static final String CATCHING_UP = "catching-up-";

    private static final Logger LOG = LoggerFactory.getLogger(IndexRepair.class);

    private final SagaRepository journal;
    private final ElasticsearchSagaIndex index;
    private final Clock clock;
    private final SearchMetrics metrics;
    /** Members that have a checkpoint, or had: who stops in order takes it along. */
    private final Set<String> heard = new HashSet<>();

    /** Nodes that were seen as members and never had a checkpoint: whatever they appended may be untold. */
    private final Set<String> silent = new HashSet<>();

    private volatile boolean stopped;
    private boolean begun;
    private @Nullable Run run;

    private record Run(String name, CatchUp catchUp, Instant begunAt, Set<String> dead) {}

    IndexRepair(SagaRepository journal, ElasticsearchSagaIndex index, Clock clock, SearchMetrics metrics) {
        this.journal = journal;
        this.index = index;
        this.clock = clock;
        this.metrics = metrics;
    }

    /** Ends a look that is under way, soon. */
    void stop() {
        stopped = true;
    }

    /**
     * Catches up what has to be. What fails is gone on with by the next look.
     *
     * @param members the names of the nodes there are
     */
    void look(Set<String> members) {
        // First of all: while the index is away, somebody may come and go without a trace in it.
        members.stream().filter(member -> !heard.contains(member)).forEach(silent::add);
        Map<String, Checkpoint> checkpoints = checkpoints();
        Optional<Instant> whole = Optional.ofNullable(checkpoints.get(WHOLE)).map(Checkpoint::completeUpTo);
        hear(checkpoints.keySet(), members, whole.isEmpty());
        Set<String> dead = new HashSet<>(checkpoints.keySet());
        dead.addAll(silent);
        dead.removeAll(members);
        dead.remove(WHOLE);
        Run now = run;
        if (now != null && !dead.remove(now.name())) now = null; // Cleared meanwhile: from the beginning.
        if (now == null && (!begun || whole.isEmpty() || !dead.isEmpty())) {
            now = begin(whole.orElse(Instant.EPOCH), dead);
        }
        run = now;
        if (now != null) finish(now);
        else if (whole.isPresent()) advance(whole.get(), checkpoints, members);
    }

    private void hear(Set<String> checkpoints, Set<String> members, boolean cleared) {
        if (cleared) {
            heard.clear();
            silent.addAll(members);
        }
        heard.addAll(checkpoints);
        heard.retainAll(members);
        silent.removeAll(checkpoints);
    }

    private Map<String, Checkpoint> checkpoints() {
        return index.checkpoints().stream().collect(Collectors.toMap(Checkpoint::node, Function.identity()));
    }

    private Run begin(Instant since, Set<String> dead) {
        Run beginning = new Run(
                CATCHING_UP + UUID.randomUUID(), new CatchUp(since, journal, index), clock.instant(), Set.copyOf(dead));
        index.checkpoint(beginning.name(), since, beginning.begunAt());
        if (since.equals(Instant.EPOCH)) LOG.info("The search index is filled from the journal.");
        return beginning;
    }

    private void finish(Run now) {
        long since = System.nanoTime();
        while (!stopped && now.catchUp().step()) {
            // As long as the page took is left to others.
            LockSupport.parkNanos(System.nanoTime() - since);
            since = System.nanoTime();
        }
        if (stopped) return;
        index.checkpoint(WHOLE, now.begunAt(), clock.instant());
        if (!checkpoints().containsKey(now.name())) {
            index.removeCheckpoint(WHOLE); // Cleared while this filled it.
            return;
        }
        now.dead().forEach(index::removeCheckpoint);
        silent.removeAll(now.dead());
        index.removeCheckpoint(now.name());
        run = null;
        begun = true;
        metrics.caughtUp(now.catchUp().done());
        LOG.info(
                "The search index is complete: {} sagas were read from the journal.",
                now.catchUp().done());
    }

    private void advance(Instant whole, Map<String, Checkpoint> checkpoints, Collection<String> members) {
        if (!checkpoints.keySet().containsAll(members)) return;
        members.stream()
                .map(checkpoints::get)
                .map(Checkpoint::completeUpTo)
                .min(Comparator.naturalOrder())
                .filter(whole::isBefore)
                .ifPresent(complete -> index.checkpoint(WHOLE, complete, clock.instant()));
    }
}
