package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * What a class says of payloads that another build of the service has written: of properties that it has gained since,
 * and of those that it has lost.
 */
final class OtherBuilds {
    private static final Set<Class<?>> OPTIONALS =
            Set.of(Optional.class, OptionalInt.class, OptionalLong.class, OptionalDouble.class);

    private OtherBuilds() {}

    /** What a property is that a payload does not have. */
    enum Absent {
        /** Nothing says it. */
        UNKNOWN,
        /** As if it were there and null: null, or an empty {@code Optional}. */
        NULL,
        /** What the class makes it by itself. */
        LEFT,
        /** What {@code @JsonProperty(defaultValue)} says. */
        TEXT
    }

    /**
     * A property as its class declares it.
     *
     * @param owner the class
     * @param type that it is read as
     * @param field null if it has none
     * @param creator takes it as a parameter; null if it is set
     * @param index of that parameter
     */
    record Property(
            String name,
            Class<?> owner,
            Class<?> type,
            @Nullable Field field,
            @Nullable Executable creator,
            int index) {

        /** All that may be annotated. */
        private List<AnnotatedElement> members() {
            List<AnnotatedElement> members = new ArrayList<>();
            if (field != null) {
                members.add(field);
                members.add(field.getAnnotatedType());
                members.addAll(StateMembers.annotatedAccessorsOf(field));
            }
            if (creator != null) {
                members.add(creator.getParameters()[index]);
                AnnotatedType[] types = creator.getAnnotatedParameterTypes();
                if (types.length == creator.getParameterCount()) members.add(types[index]);
            }
            return members;
        }

        /** Empty if nothing says it. */
        String defaultText() {
            return members().stream()
                    .map(each -> each.getAnnotation(JsonProperty.class))
                    .map(each -> each == null ? "" : each.defaultValue())
                    .filter(each -> !each.isEmpty())
                    .findFirst()
                    .orElse("");
        }

        /** Whether the default is to be taken as a text, and not as JSON. */
        boolean isText() {
            return CharSequence.class.isAssignableFrom(type) || type.isEnum();
        }

        private boolean isNullable() {
            return members().stream()
                    .flatMap(each -> Arrays.stream(each.getAnnotations()))
                    .map(Annotation::annotationType)
                    .anyMatch(each -> each.getSimpleName().equals("Nullable"));
        }
    }

    /**
     * What the property is where it is missing.
     *
     * @param fresh two objects of the class of which nothing was set; empty if there are none
     */
    static Absent absent(Property property, List<Object> fresh) {
        if (!property.defaultText().isEmpty()) return Absent.TEXT;
        KotlinDefaults kotlin = KotlinDefaults.of(property.owner());
        if (kotlin.hasDefault(property.name())) return Absent.LEFT;
        boolean nullable =
                !property.type().isPrimitive() && (property.isNullable() || kotlin.isNullable(property.name()));
        boolean empty = OPTIONALS.contains(property.type());
        if (property.creator() != null) return nullable || empty ? Absent.NULL : Absent.UNKNOWN;
        if (isSet(property, fresh)) return Absent.LEFT;
        if (empty) return Absent.NULL;
        return nullable ? Absent.LEFT : Absent.UNKNOWN;
    }

    /**
     * Whether the class itself makes it something, and the same each time: neither null, nor the 0 and false that a
     * primitive is anyway, nor a new id or the time.
     */
    private static boolean isSet(Property property, List<Object> fresh) {
        if (property.field() == null || fresh.isEmpty()) return false;
        List<@Nullable Object> values = new ArrayList<>();
        for (Object each : fresh) {
            if (!property.field().getDeclaringClass().isInstance(each)) return false;
            values.add(PayloadState.get(property.field(), each));
        }
        Object first = values.get(0);
        if (first == null || SameState.between(first, values.get(1)) != null) return false;
        if (!property.field().getType().isPrimitive()) return true;
        boolean zero = first instanceof Number number && number.doubleValue() == 0;
        return !zero && !first.equals(false) && !first.equals('\0');
    }

    /** Two objects of which nothing was set, or what they build; none where that is not possible. */
    static List<Object> fresh(Class<?> type, Supplier<@Nullable Object> makes) {
        List<Object> fresh = new ArrayList<>();
        try {
            for (int i = 0; i < 2; i++) {
                Object made = makes.get();
                if (made == null) return List.of();
                fresh.add(type.isInstance(made) ? made : StateMembers.build(made));
            }
            return fresh;
        } catch (Exception notMadeOfNothing) {
            return List.of();
        }
    }

    /**
     * Properties of a payload that the class neither has nor says it has lost. What it reads over without a name counts if
     * something is missing: it may be just that, under its former name.
     *
     * @param unknown those that the class does not have
     * @param missing those that it has and the payload has not
     */
    static List<String> notLost(Class<?> owner, List<String> unknown, List<String> missing) {
        JsonIgnoreProperties said = AnnotatedElementUtils.findMergedAnnotation(owner, JsonIgnoreProperties.class);
        List<String> lost = said == null ? List.of() : List.of(said.value());
        List<String> left =
                unknown.stream().filter(each -> !lost.contains(each)).toList();
        return missing.isEmpty() && said != null && said.ignoreUnknown() ? List.of() : left;
    }
}
