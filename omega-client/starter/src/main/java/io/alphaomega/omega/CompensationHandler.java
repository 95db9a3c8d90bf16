package io.alphaomega.omega;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/**
 * Undoes branches that a {@link SagaTemplate} runs: a function with a name, by which alpha asks any instance of the
 * service for it, also after a restart. A bean of the service, made once and injected where the branch runs:
 *
 * <pre>{@code
 * @Bean
 * CompensationHandler<CarOrder> cancelCar(CarDesk desk) {
 *     return CompensationHandler.of("car.cancel", CarOrder.class, desk::cancel);
 * }
 * }</pre>
 *
 * <p>Behind the fence it runs in the fence's local transaction, once. It must not fail for business reasons, and returns
 * when its work is done: alpha calls it until it succeeds or a person must look.
 *
 * @param <A> what it is told about the branch: what is kept from before the branch runs, so that a key of the service's
 *     own choice is in it, and nothing that is only known afterwards
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
     * @param <A> what it is told about the branch
     */
    @FunctionalInterface
    public interface Undo<A extends @Nullable Object> {
        /** Whatever it throws is a failed attempt; alpha asks again. */
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
     * A handler of that name.
     *
     * @param name unique among the compensations of the service, and stable over its versions: open sagas know it
     * @param type by which the argument is written and read, as that of a {@link Compensable} method is by its declared
     *     type
     */
    public static <A> CompensationHandler<A> of(String name, Class<A> type, Undo<A> undo) {
        return new CompensationHandler<>(name, type, undo, "");
    }

    /** As {@link #of(String, Class, Undo)}, for a generic type. */
    public static <A> CompensationHandler<A> of(String name, ParameterizedTypeReference<A> type, Undo<A> undo) {
        return new CompensationHandler<>(name, type.getType(), undo, "");
    }

    /**
     * The same handler, for branches behind the fence of that transaction manager, which then guards the branch's work as
     * well.
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
