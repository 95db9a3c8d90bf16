package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.fence.ReactiveFence;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import reactor.core.publisher.Mono;

/** Which fence a branch begins behind: asked for outside of its transaction, once, and checked inside. */
final class ReactiveFenceIds {
    private final ReactiveFence fence;
    private final ConnectionFactory connections;
    private volatile @Nullable String known;

    ReactiveFenceIds(ReactiveFence fence, ConnectionFactory connections) {
        this.fence = fence;
        this.connections = connections;
    }

    /** The id of the fence that a transaction begun now would meet. */
    CompletableFuture<String> current() {
        String id = known;
        if (id != null) return CompletableFuture.completedFuture(id);
        return fence.id(connections)
                .doOnNext(found -> known = found)
                .onErrorMap(
                        R2dbcException.class,
                        e -> ConnectionFactoryUtils.convertR2dbcException(
                                "Omega's fence could not read or write its own id", null, e))
                .toFuture()
                .thenApply(Objects::requireNonNull);
    }

    /** As {@link FenceIds#require}. */
    Mono<Void> require(Connection connection, String told, String operation) {
        return here(connection).flatMap(here -> {
            if (here.equals(told)) return Mono.empty();
            known = null; // It may be the table that has changed: the next branch asks anew.
            return Mono.error(FenceIds.elsewhere(operation, told, here));
        });
    }

    /** As {@link FenceIds#requireOf}. */
    Mono<Void> requireOf(Connection connection, String told) {
        return here(connection)
                .flatMap(here -> told.isEmpty() || here.equals(told)
                        ? Mono.empty()
                        : Mono.error(FenceIds.OtherFenceException.of(told, here)));
    }

    /** It, once it has been met. */
    Collection<String> known() {
        String id = known;
        return id == null ? List.of() : List.of(id);
    }

    private Mono<String> here(Connection connection) {
        return fence.id(connection).defaultIfEmpty("");
    }
}
