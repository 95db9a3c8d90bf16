package io.alphaomega.omega.spring.payload;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import kotlin.jvm.JvmClassMappingKt;
import kotlin.reflect.KFunction;
import kotlin.reflect.KParameter;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;

/**
 * What the constructors of a class of Kotlin's say of parameters that are left out. Bytecode does not say it, so it takes
 * {@code kotlin-reflect}; of other classes, and without it, nothing is known.
 */
class KotlinDefaults {
    private static final KotlinDefaults NONE = new KotlinDefaults();

    private KotlinDefaults() {}

    static KotlinDefaults of(Class<?> type) {
        return KotlinDetector.isKotlinReflectPresent() && KotlinDetector.isKotlinType(type) ? new Known(type) : NONE;
    }

    boolean areKnown() {
        return false;
    }

    /** Whether a parameter of that name has a default. */
    boolean hasDefault(String name) {
        return false;
    }

    /** Whether a parameter of that name may be null. */
    boolean isNullable(String name) {
        return false;
    }

    /**
     * The object, with the defaults for what is left out.
     *
     * @param given by index of the parameter
     * @return null if something else would be needed
     */
    @Nullable
    Object create(int count, Map<Integer, @Nullable Object> given) {
        return null;
    }

    /** Loaded only where Kotlin is. */
    private static final class Known extends KotlinDefaults {
        private final Collection<? extends KFunction<?>> constructors;

        Known(Class<?> type) {
            constructors = JvmClassMappingKt.getKotlinClass(type).getConstructors();
        }

        @Override
        boolean areKnown() {
            return true;
        }

        @Override
        boolean hasDefault(String name) {
            return parameters().stream().anyMatch(each -> name.equals(each.getName()) && each.isOptional());
        }

        @Override
        boolean isNullable(String name) {
            return parameters().stream()
                    .anyMatch(each ->
                            name.equals(each.getName()) && each.getType().isMarkedNullable());
        }

        private List<KParameter> parameters() {
            return constructors.stream()
                    .flatMap(each -> each.getParameters().stream())
                    .toList();
        }

        @Override
        @Nullable
        Object create(int count, Map<Integer, @Nullable Object> given) {
            for (KFunction<?> each : constructors) {
                List<KParameter> parameters = each.getParameters();
                if (parameters.size() != count) continue;
                Map<KParameter, @Nullable Object> arguments = new HashMap<>();
                given.forEach((index, value) -> arguments.put(parameters.get(index), value));
                boolean all = parameters.stream()
                        .allMatch(parameter -> parameter.isOptional() || arguments.containsKey(parameter));
                return all ? called(each, arguments) : null;
            }
            return null;
        }

        @SuppressWarnings("NullAway") // Kotlin's arguments may be null.
        private static Object called(KFunction<?> constructor, Map<KParameter, @Nullable Object> arguments) {
            return constructor.callBy(arguments);
        }
    }
}
