package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A participant that takes a value, returns it, and is told both when it is to be undone. */
public abstract class ValueDesk<T> {
    private @Nullable T taken;
    private @Nullable T undone;
    private int takes;
    private @Nullable T undoneResult;
    private UnaryOperator<@Nullable T> result = UnaryOperator.identity();

    @Compensable(compensationMethod = "undo")
    public @Nullable T take(@Nullable T value) {
        taken = value;
        takes++;
        return result.apply(value);
    }

    public void undo(@Nullable T value, @Nullable T itsResult) {
        undone = value;
        undoneResult = itsResult;
    }

    public void returns(UnaryOperator<@Nullable T> other) {
        result = other;
    }

    @Nullable
    public T taken() {
        return taken;
    }

    int takes() {
        return takes;
    }

    @Nullable
    T undone() {
        return undone;
    }

    @Nullable
    T undoneResult() {
        return undoneResult;
    }

    /**
     * A value that a desk takes.
     *
     * @param kept whether it comes back as it is; otherwise it is refused before the method runs
     */
    record Value(
            Class<? extends ValueDesk<?>> desk, @Nullable Object value, boolean kept) {
        static <T> Value kept(Class<? extends ValueDesk<T>> desk, @Nullable T value) {
            return new Value(desk, value, true);
        }

        static <T> Value refused(Class<? extends ValueDesk<T>> desk, @Nullable T value) {
            return new Value(desk, value, false);
        }

        @Override
        public String toString() {
            return desk.getSimpleName()
                    + (value == null ? " null" : " " + value.getClass().getSimpleName());
        }
    }
}
