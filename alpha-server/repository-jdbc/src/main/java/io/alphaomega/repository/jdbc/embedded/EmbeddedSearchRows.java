package io.alphaomega.repository.jdbc.embedded;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.jdbc.SearchTag;
import io.alphaomega.repository.jdbc.ServiceRows;
import io.alphaomega.repository.jdbc.Session;
import io.alphaomega.repository.jdbc.StoredText;
import io.alphaomega.repository.jdbc.embedded.EmbeddedAppends.Candidate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** By what else than its own row a saga is found in the embedded store: its services, and its marks if it has any. */
final class EmbeddedSearchRows {
    private static final String ADD_SERVICE = "INSERT INTO saga_services (service, begun_at, saga) VALUES (?, ?, ?)";

    private static final String ADD_MARK = "INSERT INTO saga_marks (mark, millis, saga) VALUES (?, ?, ?)";

    private EmbeddedSearchRows() {}

    static void write(Session session, List<Candidate> winners) throws SQLException {
        writeServices(session, winners);
        writeMarks(session, winners);
    }

    private static void writeServices(Session session, List<Candidate> winners) throws SQLException {
        PreparedStatement add = session.prepared(ADD_SERVICE);
        PreparedStatement delete = session.prepared(ServiceRows.DELETE);
        int added = 0;
        int deleted = 0;
        for (Candidate winner : winners) {
            SagaSummary is = winner.item().summary();
            Set<String> had = Set.of();
            boolean sameTime = true;
            if (winner.before() != null) {
                had = winner.before().summary().services();
                sameTime = is.begunAt().equals(winner.before().summary().begunAt());
                if (sameTime && is.services().equals(had)) continue;
                for (String service : had) {
                    if (sameTime && is.services().contains(service)) continue;
                    ServiceRows.addTo(
                            delete, service, winner.before().summary().begunAt().toEpochMilli(), winner.number());
                    deleted++;
                }
            }
            for (String service : is.services()) {
                if (sameTime && had.contains(service)) continue;
                add.setString(1, StoredText.stored(service));
                add.setLong(2, is.begunAt().toEpochMilli());
                add.setLong(3, winner.number());
                add.addBatch();
                added++;
            }
        }
        if (deleted > 0) delete.executeBatch();
        if (added > 0) add.executeBatch();
    }

    private static void writeMarks(Session session, List<Candidate> winners) throws SQLException {
        PreparedStatement add = session.prepared(ADD_MARK);
        PreparedStatement delete = session.prepared(SearchTag.DELETE);
        int added = 0;
        int deleted = 0;
        for (Candidate winner : winners) {
            SagaSummary is = winner.item().summary();
            SagaSummary was = winner.before() == null ? null : winner.before().summary();
            if (was != null && SearchTag.sameOf(was, is)) continue;
            Set<SearchTag> had = was == null ? Set.of() : SearchTag.of(was);
            Set<SearchTag> has = SearchTag.of(is);
            for (SearchTag tag : SearchTag.without(had, has)) {
                tag.addTo(delete, winner.number());
                deleted++;
            }
            for (SearchTag tag : SearchTag.without(has, had)) {
                tag.addTo(add, winner.number());
                added++;
            }
        }
        if (deleted > 0) delete.executeBatch();
        if (added > 0) add.executeBatch();
    }
}
