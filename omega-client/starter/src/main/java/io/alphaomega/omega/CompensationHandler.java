package io.alphaomega.omega;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Undoes branches that a {@link SagaTemplate} runs: a function with a name, by which alpha calls it in any instance of
 * the service, also after a restart. A bean of the service, made once and injected where the branch runs:
 *
 * <pre>{@code
 * @Bean
 * CompensationHandler<CarOrder> cancelCar(CarDesk desk) {
 *     return CompensationHandler.of("car.cancel", CarOrder.class, desk::cancel);
 * }
 * }</pre>
 *
 * <p>Behind the fence it runs in the fence's local transaction, once. It must not fail for business reasons, and
 * returns when its work is done: alpha calls it until it succeeds or a person must intervene.
 *
 * @param <A> the argument that describes the branch. It is stored before the branch runs, so it may hold a key that the
 *     service has chosen, and nothing that is only known afterwards
 */
public final class CompensationHandler<A extends @Nullable Object> {
    /** Alpha's limit on names. */
    private static final int NAME_CHARS = 256;

    private final String name;
    private final Type type;
    private final Undo<A> undo;
    private final String fence;

    /**
     * The work of a handler.
     *
     * @param <A> the argument that describes the branch
     */
    @FunctionalInterface
    public interface Undo<A extends @Nullable Object> {
        /** Whatever it throws makes the attempt fail; alpha retries. */
        void undo(A argument) throws Throwable;
    }

    private CompensationHandler(String name, Type type, Undo<A> undo, String fence) {
        if (name.isBlank() || name.length() > NAME_CHARS) {
            throw new IllegalArgumentException(
                    "The name of a CompensationHandler must have 1 to %d characters but is '%s'."
                            .formatted(NAME_CHARS, name));
        }
        this.name = name;
        this.type = type;
        this.undo = undo;
        this.fence = fence;
    }

    /**
     * A handler with that name.
     *
     * @param name unique among the compensations of the service, and stable over its versions: open sagas know it
     * @param type by which the argument is written and read, like the declared type of a {@link Compensable} method's
     *     argument
     */
    public static <A> CompensationHandler<A> of(String name, Class<A> type, Undo<A> undo) {
        return new CompensationHandler<>(name, type, undo, "");
    }

    /** As {@link #of(String, Class, Undo)}, for a generic type. */
    public static <A> CompensationHandler<A> of(String name, ParameterizedTypeReference<A> type, Undo<A> undo) {
        return new CompensationHandler<>(name, type.getType(), undo, "");
    }

    /**
     * The same handler, for branches behind the fence of that transaction manager, which also guards the branch's work.
     *
     * @param transactionManager its bean name or qualifier, as {@link Compensable#fence}
     */
    public CompensationHandler<A> behind(String transactionManager) {
        if (transactionManager.isBlank()) {
            throw new IllegalArgumentException("The fence of " + this + " has no name.");
        }
        return new CompensationHandler<>(name, type, undo, transactionManager);
    }

    /** The name by which alpha knows it. */
    public String name() {
        return name;
    }

    /** The declared type of the argument. */
    public Type type() {
        return type;
    }

    /** The transaction manager whose fence guards its branches; empty for the standard one. */
    public String fence() {
        return fence;
    }

    /** Undoes a branch; throws what its work throws. */
    public void compensate(A argument) throws Throwable {
        undo.undo(argument);
    }

    @Override
    public String toString() {
        return "CompensationHandler '" + name + "'";
    }
}
