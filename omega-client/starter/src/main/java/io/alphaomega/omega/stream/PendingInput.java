package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledFuture;
import org.jspecify.annotations.Nullable;

/** An input that alpha has not answered yet. It belongs to the client's loop, but for its answer. */
final class PendingInput {
    final Input input;
    private final CompletableFuture<Ack> answer = new CompletableFuture<>();
    private final InputPermits room;

    /** The stream it was last given to, null while it waits for one. */
    @Nullable
    AlphaStream stream;

    /** When it was last written, by {@link System#nanoTime}. */
    long writtenAt;

    private @Nullable Duration patience;
    private @Nullable Runnable expire;
    private @Nullable ScheduledFuture<?> expiry;

    /** @param room where it takes one place until it is answered or given up, unless it {@link #isPatient()} */
    PendingInput(Input input, InputPermits room) {
        this.input = input;
        this.room = room;
    }

    /** What is to happen if it is not answered within that time, once the loop has taken it; to be said before. */
    void expireAfter(Duration patience, Runnable expire) {
        this.patience = patience;
        this.expire = expire;
    }

    /** The loop has taken it. */
    void taken(ClientLoop loop) {
        if (patience != null && expire != null) expiry = loop.schedule(patience, expire);
    }

    /** The loop is done with it. */
    void done() {
        if (expiry != null) expiry.cancel(false);
    }

    void answer(Ack ack) {
        if (answer.complete(ack)) leave();
    }

    /** Gives up, unless it is answered: then it says false. */
    boolean fail(RuntimeException reason) {
        boolean first = answer.completeExceptionally(reason);
        if (first) leave();
        return first;
    }

    private void leave() {
        if (!isPatient()) room.giveBack();
    }

    /** Fails with what {@link #fail} was told. */
    CompletableFuture<Ack> answer() {
        return answer;
    }

    boolean isAnswered() {
        return answer.isDone();
    }

    /** Whether it is about what has not happened yet, and will not unless alpha agrees. */
    boolean isBegin() {
        return input.hasBegin()
                || input.hasBeginOnce()
                || input.hasBeginBranch()
                || input.hasBeginNested()
                || input.hasBeginNestedBranch();
    }

    /** Whether alpha may take its time: it answers the end of a saga when the saga is decided. */
    boolean isPatient() {
        return input.hasEnd() && input.getEnd().getWait();
    }

    @Override
    public String toString() {
        return input.getKindCase().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of saga " + input.getSaga();
    }
}
