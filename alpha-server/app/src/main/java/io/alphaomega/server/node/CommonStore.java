package io.alphaomega.server.node;

import akka.actor.typed.ActorSystem;
import akka.cluster.Member;
import akka.cluster.typed.Cluster;
import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Loaded;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.saga.CorruptJournalException;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.alphaomega.server.saga.StoreThreads;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Whether this node has the store that its cluster has: that of the oldest node. What a node with another store would be
 * told of sagas of the others it would take for new ones. The addresses prove nothing: one store may have several, and on
 * two machines one address may mean two. What proves something is a saga that the oldest node has just loaded, and that
 * this node's store does not have.
 */
final class CommonStore {
    /** Looks that must have seen the same, one right after the other: a saga may have been lost just between two reads. */
    private static final int SURE = 2;

    private final SagaRepository repository;

    CommonStore(SagaRepository repository) {
        this.repository = repository;
    }

    /**
     * A saga that the oldest node has and this one lacks.
     *
     * @param oldest host and port of that node
     */
    record Lacking(SagaId saga, String oldest) {
        String sentence() {
            return "The store of this node does not have saga %s, which that of %s, the oldest node of the cluster, has: all nodes must have the same store. Compare alpha.repository.* of both."
                    .formatted(saga.value(), oldest);
        }
    }

    /** One that is in the store for sure, if any is and the store answers. */
    Optional<SagaId> anySaga() {
        try {
            return repository.find(SagaQuery.ALL, Cursor.START, 1).items().stream()
                    .map(SagaSummary::id)
                    .filter(this::has)
                    .findFirst();
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return Optional.empty();
        }
    }

    /** Whether it is there, or was. */
    private boolean has(SagaId saga) {
        try {
            return !repository.load(saga).equals(Loaded.NOTHING);
        } catch (CorruptJournalException e) {
            return true;
        }
    }

    /** Whether it surely is not there, and never was. */
    private boolean lacks(SagaId saga) {
        try {
            return !has(saga);
        } catch (RepositoryUnavailableException | IllegalStateException e) {
            return false;
        }
    }

    /** What is lacking now; nothing if this node is the oldest, or either store does not tell. */
    CompletableFuture<Optional<Lacking>> look(ActorSystem<?> system) {
        Cluster cluster = Cluster.get(system);
        Optional<Member> oldest = Nodes.oldest(cluster.state())
                .filter(member ->
                        !member.uniqueAddress().equals(cluster.selfMember().uniqueAddress()));
        if (oldest.isEmpty()) return CompletableFuture.completedFuture(Optional.empty());
        String whom = Nodes.hostAndPort(oldest.get().address());
        return Nodes.askOfStore(oldest.get(), system)
                .thenApplyAsync(
                        answer -> answer.flatMap(NodeReport::storedSaga)
                                .filter(this::lacks)
                                .map(saga -> new Lacking(saga, whom)),
                        new StoreThreads());
    }

    /**
     * The last word on a node that has joined, before it is given sagas.
     *
     * @throws RefusedPropertyException if it must leave again
     */
    void admit(ActorSystem<?> joined) {
        Optional<Lacking> lacking = Optional.empty();
        for (int looks = 0; looks < SURE; looks++) {
            lacking = look(joined).join();
            if (lacking.isEmpty()) return;
        }
        throw new RefusedPropertyException(lacking.orElseThrow().sentence());
    }
}
