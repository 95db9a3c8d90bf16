package io.alphaomega.omega.context;

import io.alphaomega.omega.SagaException;
import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tasks of one call that were handed over to other threads, in its saga, and are not done. A task counts from the moment
 * it is handed over, so also while it waits in an executor's queue. One that nothing can run any more, since its executor
 * has rejected or dropped it, counts as dropped once the garbage collector has found that out.
 */
public final class HandedOver {
    private static final Cleaner CLEANER = Cleaner.create();

    /** The tasks that this thread adds while it is asked about that. */
    private static final ThreadLocal<@Nullable List<Task>> HERE = new ThreadLocal<>();

    private final Set<Task> tasks = new LinkedHashSet<>();
    private CompletableFuture<Void> none = new CompletableFuture<>();
    private @Nullable Consumer<@Nullable String> owed;
    private @Nullable String dropped;

    /** One task. */
    public final class Task {
        private final String place;
        private @Nullable Thread thread;
        private int entered;

        private Task(String place) {
            this.place = place;
        }

        /** Drops the task when that is unreachable and the task has not begun. */
        void diesWith(Object carrier) {
            Cleaner.Cleanable unused = CLEANER.register(carrier, this::unreachable);
        }

        /** This thread begins it, or a part of it; does nothing on any thread but the first. */
        public void enter() {
            synchronized (HandedOver.this) {
                if (thread == null) thread = Thread.currentThread();
                if (Thread.currentThread().equals(thread)) entered++;
            }
        }

        /** The counterpart of {@link #enter}: the task is done with the last. */
        void leave() {
            synchronized (HandedOver.this) {
                if (!Thread.currentThread().equals(thread) || --entered > 0) return;
            }
            done(this);
        }

        /** It is done, whatever has run of it and where. */
        public void over() {
            done(this);
        }

        /** Its executor does not take it, and has told its caller so: the saga need not wait for it. */
        public void refused() {
            synchronized (HandedOver.this) {
                if (thread != null) return;
            }
            done(this);
        }

        private void unreachable() {
            synchronized (HandedOver.this) {
                if (thread != null || !tasks.contains(this)) return;
                dropped = place;
            }
            done(this);
        }
    }

    /**
     * One more task.
     *
     * @param place where it is handed over, for people, such as {@code MailDesk.send}
     */
    public synchronized Task add(String place) {
        Task task = new Task(place);
        tasks.add(task);
        List<Task> here = HERE.get();
        if (here != null) here.add(task);
        return task;
    }

    /** What a task was made into, and what it counts as. */
    public record Added<T>(T result, List<Task> tasks) {}

    /** Runs it, and finds out which tasks it adds on this thread. */
    public static <T> Added<T> added(Supplier<T> adding) {
        List<Task> before = HERE.get();
        List<Task> tasks = new ArrayList<>();
        HERE.set(tasks);
        try {
            return new Added<>(adding.get(), tasks);
        } finally {
            if (before == null) HERE.remove();
            else HERE.set(before);
        }
    }

    private void done(Task task) {
        CompletableFuture<Void> left;
        Consumer<@Nullable String> told;
        String lost;
        synchronized (this) {
            if (!tasks.remove(task) || !tasks.isEmpty()) return;
            left = none;
            none = new CompletableFuture<>();
            told = owed;
            owed = null;
            lost = dropped;
            if (told != null) dropped = null;
        }
        left.complete(null);
        if (told != null) told.accept(lost);
    }

    /** What runs on this thread is as good as done: its last act is to end the call that it is a task of. */
    public void releaseHere() {
        List<Task> here;
        synchronized (this) {
            if (tasks.isEmpty()) return;
            here = tasks.stream()
                    .filter(task -> Thread.currentThread().equals(task.thread))
                    .toList();
        }
        here.forEach(this::done);
    }

    /** Whether there is nothing to tell alpha: every task has been done, or alpha waits for what is left. */
    public synchronized boolean isSettled() {
        return owed != null || (tasks.isEmpty() && dropped == null);
    }

    /**
     * Alpha waits for what is left, and for what else is handed over until then.
     *
     * @param over is told when no task is left: null, or where one was handed over that has been dropped
     */
    public void owe(Consumer<@Nullable String> over) {
        String lost;
        synchronized (this) {
            if (!tasks.isEmpty()) {
                Consumer<@Nullable String> before = owed;
                owed = before == null ? over : before.andThen(over);
                return;
            }
            lost = dropped;
            dropped = null;
        }
        over.accept(lost);
    }

    /** Is complete when no task is left, or after that time. */
    public synchronized CompletableFuture<Void> none(Duration patience) {
        return tasks.isEmpty()
                ? CompletableFuture.completedFuture(null)
                : none.copy().completeOnTimeout(null, patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    /**
     * Waits until alpha knows of what is left.
     *
     * @param owed as {@link PendingReports.Holder#owe} has returned it
     * @throws SagaException if it fails
     */
    public static void await(CompletableFuture<Void> owed, SagaContext saga) {
        try {
            owed.get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SagaException(
                    "The thread was interrupted while alpha was told what else runs in " + saga + ".", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof SagaException told) throw told;
            throw new SagaException("Alpha was not told what else runs in " + saga + ".", e.getCause());
        }
    }

    /** What is left, for people: {@code MailDesk.send and 2 more tasks, handed over to other threads}. */
    public synchronized String describe() {
        List<String> places = tasks.stream().map(task -> task.place).toList();
        if (places.isEmpty()) return "Work handed over to another thread";
        return switch (places.size()) {
            case 1 -> places.get(0) + ", handed over to another thread,";
            case 2 -> places.get(0) + " and 1 more task, handed over to other threads,";
            default ->
                "%s and %d more tasks, handed over to other threads,".formatted(places.get(0), places.size() - 1);
        };
    }
}
