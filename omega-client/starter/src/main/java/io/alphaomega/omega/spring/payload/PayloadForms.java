package io.alphaomega.omega.spring.payload;

import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The two forms of JSON that payloads have: the state of a value, and what earlier builds wrote, where annotations and
 * getters had their say. Both are read; the first is written, unless a type has no other than its own serializer's.
 */
final class PayloadForms {
    private final Form state;
    private final Form former;
    private final Set<Type> inFormerForm = ConcurrentHashMap.newKeySet();

    /** A mapper of Jackson's. */
    interface Form {
        byte[] write(Type type, @Nullable Object value);

        /**
         * The value again.
         *
         * @param ofAnother whether another build may have written it, of a class that has changed since
         */
        @Nullable
        Object read(Type type, byte[] json, boolean ofAnother);

        /** Whether one value says all that is in the other, and perhaps more. */
        boolean includes(byte[] whole, byte[] part);
    }

    PayloadForms(Form state, Form former) {
        this.state = state;
        this.former = former;
    }

    byte[] write(Type type, @Nullable Object value) {
        return (isFormer(type) ? former : state).write(type, value);
    }

    boolean isFormer(Type type) {
        return !inFormerForm.isEmpty() && inFormerForm.contains(type);
    }

    /**
     * Has values of the type written as earlier builds did, or no longer.
     *
     * @return whether that is a change
     */
    boolean setFormer(Type type, boolean yes) {
        return yes ? inFormerForm.add(type) : inFormerForm.remove(type);
    }

    @Nullable
    Object read(Type type, byte[] json) {
        Object value;
        try {
            value = state.read(type, json, false);
        } catch (RuntimeException notThisForm) {
            try {
                return former.read(type, json, false);
            } catch (RuntimeException neither) {
                return readOfAnother(type, json);
            }
        }
        return isWritten(state, type, value, json) ? value : unambiguous(type, value, json);
    }

    private static boolean isWritten(Form form, Type type, @Nullable Object value, byte[] json) {
        try {
            return Arrays.equals(form.write(type, value), json);
        } catch (RuntimeException notWritable) {
            return false;
        }
    }

    /** What earlier builds wrote may be read as something else: as of UTC, say, instead of a class's own time zone. */
    private @Nullable Object unambiguous(Type type, @Nullable Object value, byte[] json) {
        Object other;
        try {
            other = former.read(type, json, false);
        } catch (RuntimeException onlyThisForm) {
            return value;
        }
        boolean same = SameState.between(value, other) == null;
        return same || !isWritten(former, type, other, json) ? value : other;
    }

    /** Only of what no form says whole, so that what is there is never read over. */
    private @Nullable Object readOfAnother(Type type, byte[] json) {
        Object value;
        try {
            value = state.read(type, json, true);
        } catch (RuntimeException notThisForm) {
            try {
                return former.read(type, json, true);
            } catch (RuntimeException neither) {
                throw notThisForm;
            }
        }
        Object other;
        try {
            other = former.read(type, json, true);
        } catch (RuntimeException onlyThisForm) {
            return value;
        }
        boolean same = SameState.between(value, other) == null;
        return same || isIncluded(state, type, value, json) || !isIncluded(former, type, other, json) ? value : other;
    }

    private static boolean isIncluded(Form form, Type type, @Nullable Object value, byte[] json) {
        try {
            return form.includes(form.write(type, value), json);
        } catch (RuntimeException notWritable) {
            return false;
        }
    }
}
