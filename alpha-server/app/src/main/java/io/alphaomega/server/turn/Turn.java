package io.alphaomega.server.turn;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/**
 * What one thread does before it waits again: work of its own, and then the actors that were told something by it, on the
 * same thread. So an input that comes alone is decided where it was read, and answered where the store's answer was heard;
 * to wake another thread for that costs more than the decision. What is more than a few goes to the actors' own threads,
 * beside which this one goes on.
 *
 * <p>Neither the work nor an actor may block, and no lock may be held around a turn.
 */
public final class Turn {
    /** Some tenths of a millisecond: the thread has connections or a lane to look after. */
    static final int RUNS_MAX = 64;

    private static final ThreadLocal<Turn> THREADS = ThreadLocal.withInitial(Turn::new);

    private final Queue<Runnable> runs = new ArrayDeque<>(RUNS_MAX);
    private boolean taken;

    /** Of the actor told last; in a turn they are all of one system. */
    private Executor others = Runnable::run;

    /** How many there were in this turn, waiting ones included. */
    private int count;

    private Turn() {}

    /** Does the work, then runs whoever was told something; within a turn only the work. */
    public static void take(Runnable work) {
        Turn turn = THREADS.get();
        if (turn.taken) work.run();
        else turn.run(work);
    }

    private void run(Runnable work) {
        taken = true;
        count = 0;
        try {
            work.run();
        } finally {
            runAll();
            taken = false;
        }
    }

    private void runAll() {
        for (Runnable next = runs.poll(); next != null; next = runs.poll()) {
            try {
                next.run();
            } catch (VirtualMachineError | LinkageError e) {
                // Fatal: the actor is as it was in the middle of its message. Its own threads know how to end the node.
                others.execute(() -> {
                    throw e;
                });
            } catch (Throwable e) { // As a thread of a pool: the others run all the same, and the work is done.
                Thread thread = Thread.currentThread();
                thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
            }
        }
    }

    /** Runs an actor in this thread's turn, if it has one with room, else on a thread of {@code others}. */
    static void execute(Runnable run, Executor others) {
        Turn turn = THREADS.get();
        if (turn.taken && turn.count < RUNS_MAX) {
            turn.count++;
            turn.runs.add(run);
            turn.others = others;
        } else {
            others.execute(run);
        }
    }
}
