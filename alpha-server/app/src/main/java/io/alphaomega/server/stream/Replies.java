package io.alphaomega.server.stream;

import io.alphaomega.server.saga.SagaReply;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What sagas have answered to one {@link Conversation} and its event loop has not taken yet. A saga holds on to this for
 * as long as somebody waits for its decision, which may be days: so a conversation that is over is cut off, and does not
 * stay in memory with its stream.
 */
final class Replies implements Consumer<SagaReply> {
    private final Queue<SagaReply> queue = new ConcurrentLinkedQueue<>();
    private final AtomicBoolean taking = new AtomicBoolean();
    private volatile @Nullable Conversation conversation;

    Replies(Conversation conversation) {
        this.conversation = conversation;
    }

    /** From any thread. What comes meanwhile is taken together, and written together. */
    @Override
    public void accept(SagaReply reply) {
        Conversation asker = conversation;
        if (asker == null) return;
        queue.add(reply);
        if (!taking.get() && taking.compareAndSet(false, true)) asker.run(this::take);
    }

    private void take() {
        taking.set(false);
        Conversation asker = conversation;
        if (asker != null) asker.takeReplies();
    }

    @Nullable
    SagaReply poll() {
        return queue.poll();
    }

    /** Nobody wants to hear anything any more. */
    void cutOff() {
        conversation = null;
    }
}
