package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.BridgeMethodResolver;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.scheduling.annotation.Async;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/** Finds the methods that alpha calls back for a branch: those that undo, confirm or cancel it, or follow that. */
public final class CallbackFinder {
    private final Method forward;
    private final Class<?> beanClass;

    /** What callbacks are told: the arguments of the forward method, or what its compensation declares. */
    private final List<Class<?>> told;

    /** Whether callbacks run in the fence's transaction. */
    private final boolean fenced;

    private final Class<?> result;

    /** What a callback is to its branch. */
    public enum Role {
        COMPENSATION("a compensation", "compensationMethod"),
        CONFIRMATION("a confirmation", "confirmMethod"),
        CANCELLATION("a cancellation", "cancelMethod"),
        AFTER_COMMIT("@AfterCommit", "value"),
        AFTER_ABORT("@AfterAbort", "value");

        /** As in "it is …". */
        public final String predicate;

        /** Of the annotation that names it. */
        final String attribute;

        Role(String predicate, String attribute) {
            this.predicate = predicate;
            this.attribute = attribute;
        }

        /** Whether it takes back what the branch has done. */
        boolean undoes() {
            return this == COMPENSATION || this == CANCELLATION;
        }

        String noun() {
            return predicate.substring(predicate.indexOf(' ') + 1);
        }
    }

    /** The methods of a class that are branches. */
    public static Set<Method> branches(Class<?> beanClass) {
        return MethodIntrospector.selectMethods(
                beanClass, (MethodFilter) method -> AnnotatedElementUtils.hasAnnotation(method, Compensable.class));
    }

    /** The names of the methods that undo, confirm or cancel the branches of a class. */
    public static Set<String> named(Class<?> beanClass) {
        Set<String> named = new LinkedHashSet<>();
        for (Method branch : branches(beanClass)) {
            Compensable compensable = AnnotatedElementUtils.findMergedAnnotation(branch, Compensable.class);
            if (compensable != null) named.add(compensable.compensationMethod());
            Participate tried = AnnotatedElementUtils.findMergedAnnotation(branch, Participate.class);
            if (tried != null) named.add(tried.confirmMethod());
        }
        return named;
    }

    /** @param fenced whether the branch is behind the fence, as far as it can be */
    CallbackFinder(Method forward, Class<?> beanClass, boolean fenced) {
        this(forward, beanClass, fenced && !ReturnKind.of(forward).isReactive(), rawTypes(forward, beanClass));
    }

    private CallbackFinder(Method forward, Class<?> beanClass, boolean fenced, List<Class<?>> told) {
        this.fenced = fenced;
        this.result = ResolvableType.forType(ReturnKind.resultType(forward, beanClass))
                .toClass();
        this.forward = forward;
        this.beanClass = beanClass;
        this.told = told;
    }

    /** Of the other callbacks of the same branch: nothing is kept for them but what is kept for this one. */
    CallbackFinder besides(CallbackMethod compensation) {
        int declared = CompensationArguments.declaredBy(compensation.method());
        if (declared == 0) return this;
        return new CallbackFinder(
                forward,
                beanClass,
                fenced,
                List.copyOf(rawTypes(compensation.method(), beanClass).subList(0, declared)));
    }

    /** The method of the same bean with that name. */
    CallbackMethod find(Role role, String methodName, String logicalName) {
        List<Method> named = candidates(methodName);
        if (named.isEmpty()) {
            throw new OmegaConfigurationException(
                    "%s names the %s '%s', but %s has no such method."
                            .formatted(Names.of(forward), role.noun(), methodName, beanClass.getName()),
                    "Add one of " + expected(methodName) + ", or correct " + role.attribute + ".");
        }
        List<CallbackMethod> matching = new ArrayList<>();
        for (Method candidate : named) {
            if (fits(role, candidate, beanClass)) matching.add(describe(role, logicalName, candidate, beanClass));
        }
        if (matching.isEmpty()) {
            throw new OmegaConfigurationException(
                    "The %s of %s must be one of %s, found %s."
                            .formatted(
                                    role.noun(),
                                    Names.of(forward),
                                    expected(methodName),
                                    named.stream().map(Names::of).collect(Collectors.joining(" and "))),
                    "Give it these parameters, the same followed by the result, or none"
                            + (role.undoes()
                                    ? "; or say with @CompensationArgument what each of its own is told."
                                    : ": it is told what is kept for the cancellation."));
        }
        if (matching.size() > 1) {
            throw new OmegaConfigurationException(
                    "%s has more than one %s: %s."
                            .formatted(
                                    Names.of(forward),
                                    role.noun(),
                                    matching.stream()
                                            .map(CallbackMethod::describe)
                                            .collect(Collectors.joining(" and "))),
                    "Rename all but one of them.");
        }
        requireCallable(matching.get(0).method(), beanClass, role, fenced);
        return matching.get(0);
    }

    /**
     * Whether the method was written under that name: Kotlin's compiler adds the module's to that of an internal function, and
     * a hash to that of one with parameters of value classes.
     */
    public static boolean isNamed(Method method, String name) {
        if (method.getName().equals(name)) return true;
        boolean mangled =
                method.getName().startsWith(name + "$") || method.getName().startsWith(name + "-");
        return mangled && !method.isSynthetic() && KotlinDetector.isKotlinType(method.getDeclaringClass());
    }

    /** Not the bridges that a compiler adds, but what they lead to, which a package-private superclass may have. */
    private List<Method> candidates(String methodName) {
        Map<List<Class<?>>, Method> found = new LinkedHashMap<>();
        Arrays.stream(ReflectionUtils.getAllDeclaredMethods(beanClass))
                .filter(method -> isNamed(method, methodName))
                .map(BridgeMethodResolver::findBridgedMethod)
                .filter(method -> !method.isBridge())
                .map(method -> AopUtils.getMostSpecificMethod(method, beanClass))
                .forEach(method -> found.putIfAbsent(List.of(method.getParameterTypes()), method));
        return List.copyOf(found.values());
    }

    /** Whether the method has the parameters that it can be called back with. */
    boolean fits(Role role, Method candidate, Class<?> itsClass) {
        List<Class<?>> found = boxed(rawTypes(candidate, itsClass));
        int declared = declaredBy(role, candidate);
        List<Class<?>> arguments = declared > 0 ? new ArrayList<>(found.subList(0, declared)) : boxed(told);
        if (found.isEmpty() || found.equals(arguments)) return true;
        if (result == void.class) return false;
        arguments.add(ClassUtils.resolvePrimitiveIfNecessary(result));
        return found.equals(arguments);
    }

    /** How many of its parameters say what they are told; only what undoes may. */
    private static int declaredBy(Role role, Method candidate) {
        return role.undoes() ? CompensationArguments.declaredBy(candidate) : 0;
    }

    /** The callback that a method which fits is. */
    CallbackMethod describe(Role role, String logicalName, Method method, Class<?> itsClass) {
        List<Type> types = AnnotationReader.parameterTypes(method, itsClass);
        int declared = declaredBy(role, method);
        int arguments = declared > 0 ? declared : Math.min(types.size(), told.size());
        boolean takesResult = types.size() > arguments;
        return new CallbackMethod(
                role,
                logicalName,
                List.of(),
                method,
                List.copyOf(types.subList(0, arguments)),
                takesResult,
                takesResult ? types.get(arguments) : void.class,
                "");
    }

    /** What fits. */
    String expected(String methodName) {
        String arguments = told.stream().map(Class::getSimpleName).collect(Collectors.joining(", "));
        List<String> shapes = new ArrayList<>();
        shapes.add(methodName + "(" + arguments + ")");
        if (result != void.class) {
            shapes.add(methodName + "(" + arguments + (arguments.isEmpty() ? "" : ", ") + result.getSimpleName() + ")");
        }
        if (!arguments.isEmpty()) shapes.add(methodName + "()");
        return String.join(", ", shapes);
    }

    /** That it can be called through a proxy, is done when it returns, and is nothing but a callback. */
    static void requireCallable(Method found, Class<?> itsClass, Role role, boolean fenced) {
        String is = "is " + role.predicate;
        AnnotationReader.requireProxyable(found, itsClass, is);
        // Omega waits for one that is done later, but not in the fence's transaction, where its work would not be.
        if (fenced || ReturnKind.of(found) == ReturnKind.NOW) {
            AnnotationReader.requireDoneOnReturn(
                    found, is, "Let it wait for its work, and return nothing: alpha waits for it.");
        } else {
            KotlinChecks.requireCallable(found, is);
        }
        if (AnnotatedElementUtils.hasAnnotation(found, Async.class)
                || AnnotatedElementUtils.hasAnnotation(itsClass, Async.class)) {
            throw AnnotationReader.notDone(
                    found, is + " and @Async", "Remove @Async from it, or from its class: alpha waits for it.");
        }
        if (!role.undoes() && CompensationArguments.declaredBy(found) > 0) {
            throw new OmegaConfigurationException(
                    "%s %s and has @CompensationArgument, but is told what is kept for the compensation."
                            .formatted(Names.of(found), is),
                    "Put @CompensationArgument on the parameters of the compensation or cancellation, give this method the"
                            + " same parameters, and remove it here.");
        }
        if (AnnotatedElementUtils.hasAnnotation(found, Compensable.class)) {
            String branch = Names.annotation(found, Compensable.class);
            throw new OmegaConfigurationException(
                    "%s %s and %s itself.".formatted(Names.of(found), is, branch),
                    "What alpha calls back is not a branch of its saga: remove " + branch + " from it.");
        }
    }

    /** That the callback gets what it takes. */
    static void requireFed(BranchDefinition branch, CallbackMethod callback) {
        if (!branch.storeResult()) requireNotNeeded(branch.method(), callback);
        boolean undoes = callback.role() != Role.CONFIRMATION && callback.role() != Role.AFTER_COMMIT;
        if (branch.compensateOnException() && undoes) requireNoPrimitive(branch.method(), callback);
    }

    private static void requireNoPrimitive(Method method, CallbackMethod callback) {
        if (callback.takesResult() && callback.resultType() instanceof Class<?> type && type.isPrimitive()) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but its %s %s takes a result of the primitive type %s: there is none if the method threw."
                            .formatted(Names.of(method), callback.role().noun(), callback.describe(), type),
                    "Take the boxed type, which then gets null, or no result.");
        }
    }

    private static void requireNotNeeded(Method method, CallbackMethod callback) {
        if (callback.takesResult()) {
            throw new OmegaConfigurationException(
                    "%s says storeResult = false, but its %s %s takes the result."
                            .formatted(Names.of(method), callback.role().noun(), callback.describe()),
                    "Remove storeResult = false, or the last parameter of that method.");
        }
        if (method.getReturnType().isPrimitive() && method.getReturnType() != void.class) {
            throw new OmegaConfigurationException(
                    "%s says storeResult = false, so a repeated call returns null, which is no %s."
                            .formatted(Names.of(method), method.getReturnType()),
                    "Return an object or nothing, or remove storeResult = false.");
        }
    }

    /** So that the callback may declare {@code Integer} for {@code int}. */
    private static List<Class<?>> boxed(List<Class<?>> types) {
        List<Class<?>> boxed = new ArrayList<>();
        for (Class<?> type : types) boxed.add(ClassUtils.resolvePrimitiveIfNecessary(type));
        return boxed;
    }

    private static List<Class<?>> rawTypes(Method method, Class<?> itsClass) {
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < KotlinFunctions.parameterCount(method); i++) {
            types.add(ResolvableType.forMethodParameter(method, i, itsClass).toClass());
        }
        return types;
    }
}
