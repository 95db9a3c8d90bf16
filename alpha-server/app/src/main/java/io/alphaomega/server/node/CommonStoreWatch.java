package io.alphaomega.server.node;

import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import io.alphaomega.server.node.CommonStore.Lacking;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that ends a node whose store is not that of its cluster. When it joined, there may have been nothing yet to
 * tell it by.
 */
final class CommonStoreWatch extends Watch<Optional<Lacking>> {
    /** Each costs the oldest node two reads and this one a third. */
    static final Duration LOOK_EVERY = Duration.ofSeconds(3);

    /**
     * Looks that must have seen the same. A Redis Cluster that is cut in two shows two nodes two stores, but not for longer
     * than its {@code cluster-node-timeout}, 15 s by default.
     */
    private static final int SURE = 6;

    private static final Logger LOG = LoggerFactory.getLogger(CommonStoreWatch.class);

    /** @param ends what to do when the store is another one */
    record Settings(Duration lookEvery, Runnable ends) {}

    private final CommonStore store;
    private final Settings settings;
    private int looks;

    static Behavior<Command<Optional<Lacking>>> create(CommonStore store, Settings settings) {
        return every(settings.lookEvery(), context -> new CommonStoreWatch(context, store, settings));
    }

    private CommonStoreWatch(ActorContext<Command<Optional<Lacking>>> context, CommonStore store, Settings settings) {
        super(context);
        this.store = store;
        this.settings = settings;
    }

    @Override
    void look() {
        if (isUp()) ask(store.look(getContext().getSystem()));
    }

    @Override
    void learned(Optional<Lacking> lacking) {
        looks = lacking.isPresent() ? looks + 1 : 0;
        if (looks != SURE) return;
        LOG.error("{} This node ends.", lacking.orElseThrow().sentence());
        settings.ends().run();
    }
}
