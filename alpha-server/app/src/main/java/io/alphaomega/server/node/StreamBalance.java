package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that asks omegas to move when this node has more than its share of their streams. Streams stay where they
 * are, so a node that comes back has none: it would be idle but for its sagas, and what is said of those takes a detour.
 *
 * <p>An omega that knows only this node comes back to it. When fewer than half of those that were asked have gone, the
 * next are asked later, and later each time.
 */
final class StreamBalance extends Watch<List<Optional<NodeReport>>> {
    static final Duration LOOK_EVERY = Duration.ofSeconds(10);

    /** Looks that must all have seen too many, for three minutes: a node that has just started has enough to do. */
    private static final int SURE = 18;

    /** One of so many is asked to move at a time: each connects anew, and says again what was not taken yet. */
    private static final int AT_A_TIME = 20;

    /** One of so many more than the share is none too many. */
    private static final int SLACK = 10;

    /** Looks that are left out after nobody has gone; from a minute to an hour. */
    private static final int PATIENCE = 6;

    private static final int PATIENCE_MAX = 360;

    private static final Logger LOG = LoggerFactory.getLogger(StreamBalance.class);

    /** How many were asked, and how many streams there were then. */
    private record Asked(int count, int streams) {}

    /**
     * What it works with.
     *
     * @param streams of this node, now
     * @param move asks so many omegas to connect to another node
     */
    record Settings(IntSupplier streams, IntConsumer move, Duration lookEvery) {}

    private final Settings settings;
    private int looks;
    private Optional<Asked> asked = Optional.empty();
    private int patience;
    private int leftOut;

    static Behavior<Command<List<Optional<NodeReport>>>> create(Settings settings) {
        return every(settings.lookEvery(), context -> new StreamBalance(context, settings));
    }

    private StreamBalance(ActorContext<Command<List<Optional<NodeReport>>>> context, Settings settings) {
        super(context);
        this.settings = settings;
    }

    @Override
    void look() {
        List<Member> others = Nodes.others(cluster);
        boolean whole = cluster.state().getUnreachable().isEmpty()
                && Stream.concat(Stream.of(cluster.selfMember()), others.stream())
                        .allMatch(member -> member.status().equals(MemberStatus.up()));
        if (!whole) {
            looks = 0;
            return;
        }
        ask(Nodes.ask(others, getContext().getSystem()));
    }

    @Override
    void learned(List<Optional<NodeReport>> others) {
        int own = settings.streams().getAsInt();
        asked.ifPresent(before -> learn(before, own));
        asked = Optional.empty();
        int share = share(own, others);
        looks = own - share > Math.max(1, share / SLACK) ? looks + 1 : 0;
        if (looks < SURE || leftOut-- > 0) return;
        leftOut = 0;
        int count = Math.min(own - share, Math.max(1, own / AT_A_TIME));
        LOG.info(
                "This node has {} streams, and with as many on each of {} nodes it would have {}: {} of them {} asked to"
                        + " connect to another.",
                own,
                others.size() + 1,
                share,
                count,
                count == 1 ? "is" : "are");
        settings.move().accept(count);
        asked = Optional.of(new Asked(count, own));
    }

    /** What a node with as many as each other would have; all that there are if one does not say. */
    private static int share(int own, List<Optional<NodeReport>> others) {
        if (others.stream().anyMatch(Optional::isEmpty)) return own;
        int all = own
                + others.stream().mapToInt(each -> each.orElseThrow().streams()).sum();
        return Math.ceilDiv(all, others.size() + 1);
    }

    private void learn(Asked before, int own) {
        boolean gone = 2 * (before.streams() - own) >= before.count();
        patience = gone ? 0 : Math.clamp(2L * patience, PATIENCE, PATIENCE_MAX);
        leftOut = patience;
    }
}
