package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that has a node leave whose clock is not that of its cluster, and that tells when the clock of the machine was
 * set. The node's own clock follows that one slowly, so there is time to hand over the sagas.
 */
final class ClockWatch extends Watch<List<Clocks.Reading>> {
    /** A clock that is corrected at its fastest is a second apart after two. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(2);

    /** Looks that must have seen the same: other nodes' clocks may be on their way, too. */
    private static final int SURE = 3;

    private static final double MILLIS = 1_000.0;

    private static final Logger LOG = LoggerFactory.getLogger(ClockWatch.class);

    /**
     * What it works with.
     *
     * @param aheadOfWall how far the node's clock is ahead of its machine's
     * @param leaves is told why the node must
     */
    record Settings(Supplier<Duration> aheadOfWall, Duration lookEvery, Consumer<String> leaves) {}

    private final Clocks clocks;
    private final Settings settings;
    private int looks;
    private boolean follows;

    static Behavior<Command<List<Clocks.Reading>>> create(Clocks clocks, Settings settings) {
        return every(settings.lookEvery(), context -> new ClockWatch(context, clocks, settings));
    }

    private ClockWatch(ActorContext<Command<List<Clocks.Reading>>> context, Clocks clocks, Settings settings) {
        super(context);
        this.clocks = clocks;
        this.settings = settings;
    }

    @Override
    void look() {
        lookAtWall();
        if (isUp()) ask(clocks.look(getContext().getSystem()));
    }

    @Override
    void learned(List<Clocks.Reading> readings) {
        Optional<String> wrong = Clocks.wrong(readings, false);
        looks = wrong.isPresent() ? looks + 1 : 0;
        if (looks != SURE) return;
        LOG.error("{} This node leaves.", wrong.orElseThrow());
        settings.leaves().accept(wrong.orElseThrow());
    }

    private void lookAtWall() {
        Duration ahead = settings.aheadOfWall().get();
        boolean far = ahead.abs().compareTo(ClockOffset.MOST) > 0;
        if (far && !follows) {
            LOG.warn(
                    "The clock of this machine was set {} by {} s. Alpha follows it by running {}: no timeout passes because"
                            + " of that, but until then the times it shows are wrong.",
                    ahead.isNegative() ? "forward" : "back",
                    ahead.abs().toMillis() / MILLIS,
                    ahead.isNegative() ? "a tenth faster" : "at half speed");
        } else if (!far && follows) {
            LOG.info("Alpha's clock is that of this machine again.");
        }
        follows = far;
    }
}
