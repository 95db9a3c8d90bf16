package io.alphaomega.server.http;

import io.alphaomega.server.problem.Problems;
import io.alphaomega.server.search.SagaIndexing;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Looking after the search index, if there is one. */
@RestController
@RequestMapping("/api/v1/search")
class SearchController {
    private static final Logger LOG = LoggerFactory.getLogger(SearchController.class);

    private final Optional<SagaIndexing> indexing;

    SearchController(Optional<SagaIndexing> indexing) {
        this.indexing = indexing;
    }

    /**
     * How far the index is, as JSON.
     *
     * @param complete whether it has everything that the journal has, but for what is pending
     * @param stored sagas in the journal
     * @param indexed sagas in the index
     * @param completeUpTo everything that was stored before is in the index, a few seconds old; null while it is filled
     * @param pending sagas of which this node still has to tell the index
     */
    record SearchStatus(
            boolean complete,
            long stored,
            long indexed,
            @Nullable Instant completeUpTo,
            int pending) {}

    /** Shows how far the search index is, if alpha has one. */
    @GetMapping
    SearchStatus status() {
        SagaIndexing.Progress progress = indexing().progress();
        return new SearchStatus(
                progress.completeUpTo().isPresent(),
                progress.stored(),
                progress.indexed(),
                progress.completeUpTo().orElse(null),
                progress.pending());
    }

    /** Empties the search index and fills it again. Logged with its reason, for it makes the list incomplete for a while. */
    @PostMapping(path = "/rebuild", consumes = MediaType.APPLICATION_JSON_VALUE)
    @ResponseStatus(HttpStatus.ACCEPTED)
    SearchStatus rebuild(
            @RequestHeader(name = OrdersController.OPERATOR, defaultValue = OrdersController.SOMEBODY) String who,
            @RequestBody OperatorOrder order) {
        order.operator(who);
        LOG.warn("{} orders that the search index is emptied and filled again: {}", who, order.reason());
        indexing().rebuild();
        return status();
    }

    private SagaIndexing indexing() {
        return indexing.orElseThrow(Problems::noIndex);
    }
}
