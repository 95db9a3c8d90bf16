package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.jdbc.EmbeddedAppends.Candidate;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/** By what else than its own row a saga is found in the embedded store: its services, and its marks if it has any. */
final class EmbeddedFinding {
    private static final String ADD_SERVICE = "INSERT INTO saga_services (service, begun_at, saga) VALUES (?, ?, ?)";

    private static final String ADD_MARK = "INSERT INTO saga_marks (mark, millis, saga) VALUES (?, ?, ?)";

    private EmbeddedFinding() {}

    static void write(Session session, List<Candidate> winners) throws SQLException {
        writeServices(session, winners);
        writeMarks(session, winners);
    }

    private static void writeServices(Session session, List<Candidate> winners) throws SQLException {
        PreparedStatement add = session.prepared(ADD_SERVICE);
        PreparedStatement delete = session.prepared(AppendTransaction.DELETE_SERVICE);
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
                    AppendTransaction.addServiceToDelete(
                            delete, service, winner.before().summary().begunAt().toEpochMilli(), winner.number());
                    deleted++;
                }
            }
            for (String service : is.services()) {
                if (sameTime && had.contains(service)) continue;
                add.setString(1, Texts.stored(service));
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
        PreparedStatement delete = session.prepared(Mark.DELETE);
        int added = 0;
        int deleted = 0;
        for (Candidate winner : winners) {
            SagaSummary is = winner.item().summary();
            SagaSummary was = winner.before() == null ? null : winner.before().summary();
            if (was != null && Mark.sameOf(was, is)) continue;
            Set<Mark> had = was == null ? Set.of() : Mark.of(was);
            Set<Mark> has = Mark.of(is);
            for (Mark mark : Mark.without(had, has)) {
                mark.addTo(delete, winner.number());
                deleted++;
            }
            for (Mark mark : Mark.without(has, had)) {
                mark.addTo(add, winner.number());
                added++;
            }
        }
        if (deleted > 0) delete.executeBatch();
        if (added > 0) add.executeBatch();
    }
}
