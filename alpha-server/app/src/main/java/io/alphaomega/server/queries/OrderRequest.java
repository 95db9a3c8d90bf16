package io.alphaomega.server.queries;

import io.alphaomega.repository.Cursor;
import io.alphaomega.server.queries.OrderHistory.OrderRow;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.springframework.util.MultiValueMap;

/**
 * Which orders the caller wants to see.
 *
 * @param who gave them; empty for whoever did
 * @param limit the sagas of a page, whose orders are all on it
 */
public record OrderRequest(Instant since, Optional<String> who, Cursor cursor, int limit) {
    /** Each saga of a page costs the read of its journal. */
    public static final int LIMIT_MAX = 200;

    public static final int LIMIT_DEFAULT = 50;

    public static final List<String> NAMES = List.of("since", "who", "cursor", "limit");

    /**
     * Refuses what it does not know, as {@link ListRequest} does.
     *
     * @param now by which ages are reckoned
     */
    public static OrderRequest of(MultiValueMap<String, String> parameters, Instant now) {
        Parameters.requireKnown(parameters, NAMES);
        return new OrderRequest(
                since(parameters, now),
                Parameters.text(parameters, "who"),
                Parameters.text(parameters, "cursor").map(Cursor::new).orElse(Cursor.START),
                Parameters.limit(parameters, LIMIT_DEFAULT, LIMIT_MAX));
    }

    /** An instant, or how long ago; without it all that there are. */
    private static Instant since(MultiValueMap<String, String> parameters, Instant now) {
        Optional<String> since = Parameters.text(parameters, "since");
        boolean ago = since.map(Parameters::isDuration).orElse(false);
        return ago
                ? Parameters.duration(parameters, "since").map(now::minus).orElse(Instant.EPOCH)
                : Parameters.instant(parameters, "since").orElse(Instant.EPOCH);
    }

    boolean wants(OrderRow order) {
        return !order.at().isBefore(since) && who.map(order.who()::equals).orElse(true);
    }
}
