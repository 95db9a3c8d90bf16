package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/** What members of a class say of its state, whichever Jackson writes it. */
final class StateMembers {
    private StateMembers() {}

    /** The accessors of a field whose annotations say something of JSON, which are the field's as well. */
    static List<Method> annotatedAccessorsOf(Field field) {
        Class<?> owner = field.getDeclaringClass();
        String name = field.getName();
        String suffix = StringUtils.capitalize(name);
        List<Method> accessors = new ArrayList<>();
        for (String each : List.of("get" + suffix, "is" + suffix, name)) {
            add(accessors, ReflectionUtils.findMethod(owner, each));
        }
        add(accessors, ReflectionUtils.findMethod(owner, "set" + suffix, field.getType()));
        return accessors;
    }

    private static void add(List<Method> accessors, @Nullable Method found) {
        if (found == null || found.getDeclaringClass() == Object.class) return;
        for (Annotation each : found.getAnnotations()) {
            if (each.annotationType().getName().contains(".jackson.")) {
                accessors.add(found);
                return;
            }
        }
    }

    /** Whether annotations keep a field from clients: it is a part of the state all the same. */
    static boolean isHidden(Class<?> owner, Field field) {
        JsonIgnoreProperties named = AnnotatedElementUtils.findMergedAnnotation(owner, JsonIgnoreProperties.class);
        if (named != null && List.of(named.value()).contains(field.getName())) return true;
        return hides(field) || annotatedAccessorsOf(field).stream().anyMatch(StateMembers::hides);
    }

    private static boolean hides(AnnotatedElement member) {
        JsonIgnore ignored = member.getAnnotation(JsonIgnore.class);
        JsonProperty property = member.getAnnotation(JsonProperty.class);
        return (ignored != null && ignored.value())
                || (property != null && property.access() == JsonProperty.Access.WRITE_ONLY);
    }

    /**
     * Whether what that getter returns is needed to build the object, though no field has its name: a constructor has a
     * parameter of it.
     */
    static boolean isForConstructor(Method getter) {
        Class<?> owner = getter.getDeclaringClass();
        String name = nameOf(getter);
        if (name.isEmpty() || ReflectionUtils.findField(owner, name) != null) return false;
        return creators(owner)
                .flatMap(each -> Arrays.stream(each.getParameters()))
                .anyMatch(each -> name.equals(nameOf(each)));
    }

    private static String nameOf(Method getter) {
        if (getter.getParameterCount() > 0 || Modifier.isStatic(getter.getModifiers())) return "";
        String name = getter.getName();
        if (name.startsWith("get") && name.length() > 3) return StringUtils.uncapitalize(name.substring(3));
        if (name.startsWith("is") && name.length() > 2) return StringUtils.uncapitalize(name.substring(2));
        return "";
    }

    private static String nameOf(Parameter parameter) {
        JsonProperty named = parameter.getAnnotation(JsonProperty.class);
        if (named != null && !named.value().isEmpty()) return named.value();
        return parameter.isNamePresent() ? parameter.getName() : "";
    }

    private static Stream<Executable> creators(Class<?> owner) {
        return Stream.concat(
                Arrays.stream(owner.getDeclaredConstructors()),
                Arrays.stream(owner.getDeclaredMethods())
                        .filter(each -> Modifier.isStatic(each.getModifiers()))
                        .filter(each -> each.isAnnotationPresent(JsonCreator.class)));
    }

    /** Whether an object is set by methods: it is there only to build another one. */
    static boolean isBuilder(Class<?> type) {
        for (Annotation each : type.getAnnotations()) {
            if (each.annotationType().getSimpleName().equals("JsonPOJOBuilder")) return true;
        }
        return builtBy(type) != null;
    }

    /** What a builder builds, as far as its method has the usual name. */
    static @Nullable Type builtBy(Class<?> builder) {
        Method build = ReflectionUtils.findMethod(builder, "build");
        return build == null || build.getReturnType() == void.class ? null : build.getGenericReturnType();
    }

    /** What that builder builds. */
    static Object build(Object builder) throws ReflectiveOperationException {
        Method build = ReflectionUtils.findMethod(builder.getClass(), "build");
        if (build == null) throw new NoSuchMethodException("build");
        build.setAccessible(true);
        return build.invoke(builder);
    }

    /**
     * Whether what {@code @JsonValue} stands on is all of the object: its only field, or what a creator takes again.
     *
     * @param value a field or a method
     */
    static boolean isAll(Member value) {
        Class<?> owner = value.getDeclaringClass();
        if (owner.isEnum() || owner.isInterface()) return true;
        boolean taken = creators(owner)
                .anyMatch(each -> each.isAnnotationPresent(JsonCreator.class) && each.getParameterCount() == 1);
        if (taken) return true;
        List<Field> fields = PayloadState.fields(owner);
        if (fields.size() != 1) return false;
        String name = fields.get(0).getName();
        return value.getName().equals(name)
                || value.getName().equals("get" + StringUtils.capitalize(name))
                || value.getName().equals("is" + StringUtils.capitalize(name));
    }
}
