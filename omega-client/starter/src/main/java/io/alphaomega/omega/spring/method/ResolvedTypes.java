package io.alphaomega.omega.spring.method;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;

/** Declared types, with what a subclass says of the type variables in them. */
public final class ResolvedTypes {
    private ResolvedTypes() {}

    /**
     * The type as the class has it: {@code T} of a generic superclass may be {@code List<Long>}, and is read as that.
     *
     * @param context the class that has, or inherits, the method
     */
    public static Type of(Type type, Class<?> context) {
        TypeVariable<?> variable = firstVariable(type);
        if (variable == null) return type;
        ResolvableType owner = ResolvableType.forClass(context);
        if (variable.getGenericDeclaration() instanceof Class<?> declaring) owner = owner.as(declaring);
        return resolved(ResolvableType.forType(type, owner));
    }

    private static @Nullable TypeVariable<?> firstVariable(Type type) {
        if (type instanceof TypeVariable<?> variable) return variable;
        if (type instanceof GenericArrayType array) return firstVariable(array.getGenericComponentType());
        if (type instanceof WildcardType wildcard) return firstVariable(wildcard.getUpperBounds());
        return type instanceof ParameterizedType parameterized
                ? firstVariable(parameterized.getActualTypeArguments())
                : null;
    }

    private static @Nullable TypeVariable<?> firstVariable(Type... types) {
        for (Type each : types) {
            TypeVariable<?> variable = firstVariable(each);
            if (variable != null) return variable;
        }
        return null;
    }

    private static Type resolved(ResolvableType type) {
        Class<?> raw = type.resolve(Object.class);
        if (raw.isArray()) {
            Type component = resolved(type.getComponentType());
            return component instanceof Class<?> each ? each.arrayType() : new ArrayOf(component);
        }
        if (!type.hasGenerics()) return raw;
        ResolvableType[] generics = Arrays.stream(type.getGenerics())
                .map(each -> ResolvableType.forType(resolved(each)))
                .toArray(ResolvableType[]::new);
        return ResolvableType.forClassWithGenerics(raw, generics).getType();
    }

    private record ArrayOf(Type component) implements GenericArrayType {
        @Override
        public Type getGenericComponentType() {
            return component;
        }
    }
}
