package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FromOmega;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.saga.SagaInput;
import io.grpc.Status;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * Which of the inputs that a stream has read are let in, and when it reads on. What is read and not answered counts
 * against a window, and everything that the stream holds against the {@link Budget} of the node; while either is full,
 * nothing more is read, and what has been read already is refused, to be sent again. It lives on the stream's event loop.
 */
final class Admission {
    /** Enough for a busy service whose store takes 10 ms: a hundred thousand inputs a second. */
    static final int WINDOW = 1_024;

    /** What the inputs of a full window may hold in memory, however large each is. */
    static final int WINDOW_BYTES = 8 * 1024 * 1024;

    /** Arguments or result of a branch, and 16 KiB for names; the attributes of a saga have up to 25. */
    static final int INPUT_BYTES = 80 * 1024;

    /** What an input holds besides its own bytes: its objects, its place in a mailbox, and a saga that comes to memory. */
    private static final int INPUT_OVERHEAD_BYTES = 4 * 1024;

    /** The same of one that waits for the decision: its saga may leave memory meanwhile. */
    private static final int WAITING_OVERHEAD_BYTES = 512;

    private static final Duration PAUSE_FIRST = Duration.ofSeconds(1);

    /** A stream that is refused each time is not read for up to so long: less than half of {@link Unanswered#ANSWER_WITHIN}. */
    private static final Duration PAUSE_MOST = Duration.ofSeconds(4);

    private final OmegaCall wire;
    private final FairShare share;
    private final Unanswered unanswered;
    private final Runnable readOn;
    private final Budget.Account held;
    private final Budget.Account waiting;
    private boolean pausing;

    /** For how long, if it has to; zero if all that was read last found memory. */
    private Duration pause = Duration.ZERO;

    /** @param readOn is called when a pause is over */
    Admission(Budget budget, OmegaCall wire, Unanswered unanswered, Runnable readOn) {
        this.wire = wire;
        this.share = wire.share();
        this.unanswered = unanswered;
        this.readOn = readOn;
        this.held = budget.open(Budget.OWN_BYTES);
        this.waiting = budget.open(Budget.OWN_WAITING_BYTES);
    }

    /** What the stream holds, the decisions that its inputs wait for apart. */
    Budget.Account held() {
        return held;
    }

    /** Whether it may be read on: nothing is refused at the moment, and there is room for more. */
    boolean isOpen() {
        return !pausing && unanswered.size() < WINDOW && unanswered.bytes() < WINDOW_BYTES && held.hasRoom();
    }

    /** Why the stream is closed instead of the message being taken; null if it is taken. */
    static @Nullable Status refusal(FromOmega message) {
        if (message.getSerializedSize() > GrpcServer.MESSAGE_BYTES) {
            return Status.RESOURCE_EXHAUSTED.withDescription(
                    "A message may have at most %d bytes but had %d; the stream is closed."
                            .formatted(GrpcServer.MESSAGE_BYTES, message.getSerializedSize()));
        }
        int inputs = message.getBatch().getInputsCount();
        if (inputs > WINDOW) {
            return Status.INVALID_ARGUMENT.withDescription(
                    "A batch may have at most %d inputs, as many as may be unanswered, but had %d; the stream is closed."
                            .formatted(WINDOW, inputs));
        }
        return null;
    }

    /** Here and not where the saga is: what is larger than a message between nodes would get lost on its way. */
    static void requireSize(Input input) {
        int size = input.getSerializedSize();
        if (size > INPUT_BYTES) {
            throw new IllegalArgumentException(
                    "an input may have %d bytes but has %d: keep the data in the participant's own database and pass its key"
                            .formatted(INPUT_BYTES, size));
        }
    }

    /** Asked before anything is made of the input: what there is no room for is to cost as little as it can. */
    boolean hasRoom(Input input) {
        return account(isPatient(input)).hasRoom(bytes(input));
    }

    /** Lets the input in, and says how many bytes it holds until {@link #release}. */
    int admit(Input input, SagaInput said) {
        int bytes = bytes(input);
        account(Unanswered.isPatient(said)).add(bytes);
        return bytes;
    }

    /** Lets the result in whether there is room or not: nobody would send it again. */
    int admit(CallbackResult result) {
        int bytes = result.getSerializedSize() + INPUT_OVERHEAD_BYTES;
        held.add(bytes);
        return bytes;
    }

    /** It is answered, or given up. */
    void release(Unanswered.Entry entry) {
        account(entry.isPatient()).give(entry.bytes());
    }

    /**
     * There was no room for it: says when it may come again. Nothing more is read until then: to refuse is work, too,
     * that others wait for. So a stream that is refused each time waits longer each time; and not all come again at the
     * same moment.
     */
    Duration refuse(Input input) {
        if (isPatient(input)) return PAUSE_FIRST;
        share.crowded();
        if (pausing) return pause;
        pausing = true;
        pause = pause.isZero() ? PAUSE_FIRST : pause.compareTo(PAUSE_MOST) < 0 ? pause.multipliedBy(2) : PAUSE_MOST;
        wire.schedule(
                () -> {
                    pausing = false;
                    readOn.run();
                },
                ThreadLocalRandom.current().nextLong(pause.toMillis() / 2, pause.toMillis()));
        return pause;
    }

    /** All of a message is looked at. If all of it found room, the next pause is a short one again. */
    void messageRead() {
        if (!pausing) pause = Duration.ZERO;
    }

    void close() {
        held.close();
        waiting.close();
    }

    private Budget.Account account(boolean patient) {
        return patient ? waiting : held;
    }

    private static int bytes(Input input) {
        return input.getSerializedSize() + (isPatient(input) ? WAITING_OVERHEAD_BYTES : INPUT_OVERHEAD_BYTES);
    }

    private static boolean isPatient(Input input) {
        return input.hasEnd() && input.getEnd().getWait();
    }
}
