package io.alphaomega.server.queries;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.saga.Abort;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaEvent;
import io.alphaomega.server.queries.OrderHistory.Kind;
import io.alphaomega.server.queries.OrderHistory.OrderRow;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The orders in the journal of one saga, event by event in order. */
final class OrderText {
    /** What stands between the name and the reason in the text of an abort. */
    private static final String BETWEEN = ": ";

    private final SagaSummary saga;
    private final State state;

    /** What people call a branch; filled as branches begin. */
    private final Map<BranchId, String> names = new HashMap<>();

    OrderText(SagaSummary saga, boolean unreadable) {
        this.saga = saga;
        this.state = unreadable ? State.SUSPENDED : saga.state();
    }

    /** Empty for an event that no operator ordered. */
    Optional<OrderRow> of(long sequence, SagaEvent event) {
        return switch (event) {
            case SagaEvent.BranchBegan began -> {
                names.put(began.branch(), began.service() + " " + began.operation());
                yield Optional.empty();
            }
            case SagaEvent.Resumed resumed ->
                resumed.operator().map(by -> entry(sequence, event, Kind.RETRY, by.who(), by.why(), null));
            case SagaEvent.BranchSkipped skipped ->
                Optional.of(entry(
                        sequence,
                        event,
                        Kind.SKIP,
                        skipped.operator().who(),
                        skipped.operator().why(),
                        skipped.branch()));
            case SagaEvent.Ended ended ->
                ended.operator().map(by -> entry(sequence, event, Kind.RESOLVE, by.who(), by.why(), null));
            case SagaEvent.Aborted(Abort abort)
            when abort.cause() == Abort.Cause.OPERATOR -> Optional.of(abort(sequence, event, abort.text()));
            default -> Optional.empty();
        };
    }

    /** Of an abort the name and the reason are journaled as one text. */
    private OrderRow abort(long sequence, SagaEvent event, String text) {
        int end = text.indexOf(BETWEEN);
        return end < 0
                ? entry(sequence, event, Kind.ABORT, "", text, null)
                : entry(
                        sequence,
                        event,
                        Kind.ABORT,
                        text.substring(0, end),
                        text.substring(end + BETWEEN.length()),
                        null);
    }

    private OrderRow entry(
            long sequence, SagaEvent event, Kind order, String who, String why, @Nullable BranchId branch) {
        return new OrderRow(
                event.at(),
                order,
                who,
                why,
                saga.id().value(),
                sequence,
                branch == null ? null : branch.value(),
                branch == null ? null : names.get(branch),
                saga.service(),
                saga.operation(),
                saga.businessKey(),
                state);
    }
}
