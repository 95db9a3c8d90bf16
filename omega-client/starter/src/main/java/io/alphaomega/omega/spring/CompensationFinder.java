package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/** Finds the method that undoes a {@link Compensable} one. */
final class CompensationFinder {
    private final Method forward;
    private final Class<?> beanClass;
    private final String methodName;

    CompensationFinder(Method forward, Class<?> beanClass, Compensable compensable) {
        this.forward = forward;
        this.beanClass = beanClass;
        this.methodName = compensable.compensationMethod();
    }

    CallbackMethod find(String logicalName) {
        List<Method> named = Arrays.stream(ReflectionUtils.getUniqueDeclaredMethods(beanClass))
                .filter(m -> m.getName().equals(methodName) && !m.isBridge())
                .toList();
        if (named.isEmpty()) {
            throw new OmegaConfigurationException(
                    "%s names the compensation '%s', but %s has no such method."
                            .formatted(Names.of(forward), methodName, beanClass.getName()),
                    "Add one of " + expected() + ", or correct compensationMethod.");
        }
        List<CallbackMethod> matching = new ArrayList<>();
        for (Method candidate : named) {
            if (parametersMatch(candidate)) matching.add(describe(logicalName, candidate));
        }
        if (matching.isEmpty()) {
            throw new OmegaConfigurationException(
                    "The compensation of %s must be one of %s, found %s."
                            .formatted(
                                    Names.of(forward),
                                    expected(),
                                    named.stream().map(Names::of).collect(Collectors.joining(" and "))),
                    "Give it the same parameters, the same followed by the result, or none; or say with @CompensationArgument"
                            + " what each of its own is told.");
        }
        if (matching.size() > 1) {
            throw new OmegaConfigurationException(
                    "%s has more than one compensation: %s."
                            .formatted(
                                    Names.of(forward),
                                    matching.stream()
                                            .map(CallbackMethod::describe)
                                            .collect(Collectors.joining(" and "))),
                    "Rename all but one of them.");
        }
        Method found = matching.get(0).method();
        AnnotationReader.requireProxyable(found, beanClass, "is a compensation");
        requireDoneOnReturn(found);
        if (AnnotatedElementUtils.hasAnnotation(found, Compensable.class)) {
            throw new OmegaConfigurationException(
                    Names.of(found) + " is a compensation and @Compensable itself.",
                    "A compensation is not a branch of its saga: remove @Compensable from it.");
        }
        return matching.get(0);
    }

    private void requireDoneOnReturn(Method found) {
        AnnotationReader.requireDoneOnReturn(
                found, "is a compensation", "Let it wait for its work, and return nothing: alpha waits for it.");
        if (AnnotatedElementUtils.hasAnnotation(found, Async.class)
                || AnnotatedElementUtils.hasAnnotation(beanClass, Async.class)) {
            throw AnnotationReader.notDone(
                    found,
                    "is a compensation and @Async",
                    "Remove @Async from it, or from its class: alpha waits for it.");
        }
    }

    private CallbackMethod describe(String logicalName, Method method) {
        List<Type> types = AnnotationReader.parameterTypes(method, beanClass);
        int declared = CompensationArguments.declaredBy(method);
        int arguments = declared > 0 ? declared : Math.min(types.size(), forward.getParameterCount());
        boolean takesResult = types.size() > arguments;
        return new CallbackMethod(
                logicalName,
                method,
                List.copyOf(types.subList(0, arguments)),
                takesResult,
                takesResult ? types.get(arguments) : void.class);
    }

    private boolean parametersMatch(Method candidate) {
        int declared = CompensationArguments.declaredBy(candidate);
        List<Class<?>> found = rawTypes(candidate);
        List<Class<?>> arguments = declared > 0 ? new ArrayList<>(found.subList(0, declared)) : rawTypes(forward);
        if (found.isEmpty() || found.equals(arguments)) return true;
        if (forward.getReturnType() == void.class) return false;
        arguments.add(ClassUtils.resolvePrimitiveIfNecessary(
                ResolvableType.forMethodReturnType(forward, beanClass).toClass()));
        return found.equals(arguments);
    }

    /** Boxed, so that the compensation may declare {@code Integer} for {@code int}. */
    private List<Class<?>> rawTypes(Method method) {
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < method.getParameterCount(); i++) {
            types.add(ClassUtils.resolvePrimitiveIfNecessary(
                    ResolvableType.forMethodParameter(method, i, beanClass).toClass()));
        }
        return types;
    }

    private String expected() {
        String arguments = Names.types(forward.getParameterTypes());
        String result = forward.getReturnType().getSimpleName();
        List<String> shapes = new ArrayList<>();
        shapes.add(methodName + "(" + arguments + ")");
        if (forward.getReturnType() != void.class) {
            shapes.add(methodName + "(" + arguments + (arguments.isEmpty() ? "" : ", ") + result + ")");
        }
        if (!arguments.isEmpty()) shapes.add(methodName + "()");
        return String.join(", ", shapes);
    }
}
