package io.alphaomega.omega.spring.advice;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.context.UnenteredSaga;
import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why a call is outside a saga, as far as its own thread shows: a sentence for people, and a guess. It walks the stack, so
 * ask only when there is something to be said.
 */
final class OutsideReason {
    private static final String LEFT =
            "It was called where omega has left the saga: under propagation NOT_SUPPORTED, or by"
                    + " a listener of the saga's decision.";

    private static final String SERVED = "The request or message that its thread serves names no saga: its sender is"
            + " in none, or used a client that does not send sagas along.";

    private static final String UNKNOWN = "Its caller is in none, or has reached it by a client, an executor or a"
            + " publisher that does not take sagas along.";

    /** What receives calls and messages. */
    private static final List<String> RECEIVERS =
            List.of("io.alphaomega.omega.context.", "io.alphaomega.omega.transport.");

    /** What runs tasks, from Thread on up to the task. */
    private static final List<String> RUNNERS = List.of("java.", "jdk.", "sun.", "org.springframework.core.task.");

    private static final String ASYNC = "org.springframework.aop.interceptor.AsyncExecution";

    /** Whose threads and tasks are no tasks of a saga's: servers, listeners, timers; and executors that do hand over. */
    private static final List<String> FRAMEWORKS = List.of(
            "org.springframework.",
            "org.apache.",
            "org.eclipse.jetty.",
            "org.quartz.",
            "org.junit.",
            "io.undertow.",
            "io.netty.",
            "io.grpc.",
            "io.micrometer.",
            "com.rabbitmq.",
            "reactor.",
            "kotlinx.");

    private OutsideReason() {}

    /** About the call that this thread is in. */
    static String here() {
        if (SagaContext.isLeft()) return LEFT;
        String unentered = UnenteredSaga.sentence();
        if (unentered != null) return unentered;
        List<StackFrame> frames = StackWalker.getInstance().walk(Stream::toList);
        if (frames.stream().anyMatch(frame -> startsWithAny(frame, RECEIVERS))) return SERVED;
        if (!SagaContext.isSomewhere() || !isTask(frames)) return UNKNOWN;
        return ("It runs as a task on the thread '%s', which is in no saga, while another thread of this service is in"
                        + " one: probably that one has handed it over by an executor that does not take sagas along. Use"
                        + " applicationTaskExecutor, or wrap the executor, or the task, by Micrometer's context"
                        + " propagation.")
                .formatted(Thread.currentThread().getName());
    }

    /** Whether the application's own code is what an executor, or a thread that was made for it, runs here. */
    private static boolean isTask(List<StackFrame> youngestFirst) {
        if (Thread.currentThread().getName().startsWith("omega-")) return false;
        int task = youngestFirst.size() - 1;
        while (task >= 0 && startsWithAny(youngestFirst.get(task), RUNNERS)) task--;
        List<StackFrame> runners = youngestFirst.subList(task + 1, youngestFirst.size());
        if (task < 0 || runners.isEmpty() || runners.stream().anyMatch(OutsideReason::isTimer)) return false;
        StackFrame first = youngestFirst.get(task);
        return first.getClassName().startsWith(ASYNC) || !startsWithAny(first, FRAMEWORKS);
    }

    private static boolean isTimer(StackFrame frame) {
        return frame.getClassName().endsWith("ScheduledFutureTask");
    }

    private static boolean startsWithAny(StackFrame frame, List<String> prefixes) {
        return prefixes.stream().anyMatch(frame.getClassName()::startsWith);
    }
}
