package io.alphaomega.omega.context;

import java.lang.StackWalker.StackFrame;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a thread captures its context for, as its stack shows: a task that an executor will run once, or something else, such
 * as a callback of a client or a subscriber of Reactor's, of which nothing says whether it ever comes to run.
 */
final class Handover {
    private static final String MICROMETER = "io.micrometer.context.";
    private static final String EXECUTOR = MICROMETER + "Context";
    private static final String SPRING = "org.springframework.";
    private static final String DECORATOR = SPRING + "core.task.support.ContextPropagatingTaskDecorator";

    /** From the capture through a proxy of an {@code @Async} method to its caller, in some 20 frames. */
    private static final int FRAMES = 48;

    /** What stands between an executor and the code that hands over. */
    private static final List<String> MACHINERY = List.of(
            "java.",
            "jdk.",
            "sun.",
            SPRING,
            MICROMETER,
            "io.alphaomega.omega.context.",
            "io.alphaomega.omega.spring.autoconfigure.RejectedTasks");

    private static final String UNKNOWN = "A task";

    private Handover() {}

    /** Where the code stands that hands a task over, for people; null if nothing is handed over here. */
    static @Nullable String place() {
        return StackWalker.getInstance().walk(Handover::place);
    }

    /** Where the code stands that calls omega, for people. */
    static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.limit(FRAMES)
                        .filter(frame -> !isMachinery(frame))
                        .findFirst()
                        .map(Handover::name)
                        .orElse(UNKNOWN));
    }

    private static @Nullable String place(Stream<StackFrame> youngestFirst) {
        List<StackFrame> frames = youngestFirst.limit(FRAMES).toList();
        int capture = 0;
        while (capture < frames.size() && !isCapture(frames.get(capture))) capture++;
        if (capture == frames.size()) return null;
        for (StackFrame caller : frames.subList(capture, frames.size())) {
            if (isLater(caller)) return null;
            if (!isMachinery(caller)) return name(caller);
        }
        return UNKNOWN;
    }

    private static boolean isMachinery(StackFrame frame) {
        return MACHINERY.stream().anyMatch(frame.getClassName()::startsWith);
    }

    /** Of a task, rather than of a subscriber or a value to be put back. */
    private static boolean isCapture(StackFrame frame) {
        String type = frame.getClassName();
        return switch (frame.getMethodName()) {
            case "capture" -> type.startsWith(EXECUTOR);
            case "decorate" -> type.equals(DECORATOR);
            default -> false;
        };
    }

    /** What is scheduled for later, or again and again, is no part of a saga that ends before. */
    private static boolean isLater(StackFrame frame) {
        boolean schedules = frame.getMethodName().startsWith("schedule");
        return schedules
                && (frame.getClassName().startsWith(SPRING)
                        || frame.getClassName().startsWith(MICROMETER));
    }

    private static String name(StackFrame frame) {
        String type = frame.getClassName();
        int proxy = type.indexOf("$$");
        if (proxy >= 0) type = type.substring(0, proxy);
        String method = frame.getMethodName();
        if (method.startsWith("lambda$")) method = method.substring("lambda$".length(), method.lastIndexOf('$'));
        return type.substring(Math.max(type.lastIndexOf('.'), type.lastIndexOf('$')) + 1) + "." + method;
    }
}
