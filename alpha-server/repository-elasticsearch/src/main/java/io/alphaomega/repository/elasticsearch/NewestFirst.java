package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.Cursor;
import io.alphaomega.repository.Page;
import io.alphaomega.repository.SagaQuery;
import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.ScanPosition;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The list of sagas where documents lie in the order in which they were written. For the newest few of a million that match,
 * Elasticsearch would look at each of the million: they come in the order of their begin, so each is newer than all before.
 * So the last minute is searched first, then more and more, until the page is full. What matches rarely is soon looked
 * through, each time.
 */
final class NewestFirst {
    /** Each takes about as many sagas more than the one before as a search is quicker than the next. */
    private static final List<Duration> WINDOWS =
            List.of(Duration.ofMinutes(1), Duration.ofMinutes(30), Duration.ofHours(12), Duration.ofDays(15));

    /** Only how soon a page is found depends on it. */
    private static final Clock CLOCK = Clock.systemUTC();

    private NewestFirst() {}

    static Page<SagaSummary> find(Searches searches, SagaQuery query, Cursor cursor, int limit, Deadline deadline) {
        // There is one of the id, and hardly more of a key.
        if (query.id().isEmpty() && query.businessKey().isEmpty()) {
            Instant newest = newest(query, cursor);
            for (Duration window : WINDOWS) {
                Instant from = newest.minus(window);
                if (query.from().filter(from::isBefore).isPresent()) break;
                Page<SagaSummary> page = searches.find(query.from(from), cursor, limit, deadline);
                if (page.next().isPresent()) return page;
            }
        }
        return searches.find(query, cursor, limit, deadline);
    }

    /** About where the page begins. Those of a clock that is ahead of this one are found too: no window has an upper end. */
    private static Instant newest(SagaQuery query, Cursor cursor) {
        Instant until = query.to().filter(CLOCK.instant()::isAfter).orElseGet(CLOCK::instant);
        Optional<Instant> place = ScanPosition.of(cursor, ScanPosition.Scan.FIND)
                .map(position -> Instant.ofEpochMilli(position.millis()));
        return place.filter(until::isAfter).orElse(until);
    }
}
