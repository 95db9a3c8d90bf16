package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.CallbackFinder.Role;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ResolvedTypes;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringValueResolver;

/** Reads omega's annotations, and refuses what cannot work. */
public final class AnnotationReader {
    /** More tries than this within one branch are a misplaced digit; alpha limits the attempts of callbacks likewise. */
    private static final int RETRIES_MAX = 99;

    /** Alpha's limit on names. */
    static final int NAME_CHARS = 256;

    private static final Duration DURATION_MAX = Duration.ofDays(30);

    /** What stands for work that is done later, of libraries that need not be there. */
    private static final Set<String> LATER = Set.of(
            "java.util.concurrent.CompletionStage",
            "java.util.concurrent.Flow$Publisher",
            "org.reactivestreams.Publisher",
            "reactor.core.CorePublisher",
            "io.reactivex.rxjava3.core.CompletableSource",
            "io.reactivex.rxjava3.core.MaybeSource",
            "io.reactivex.rxjava3.core.ObservableSource",
            "io.reactivex.rxjava3.core.SingleSource",
            "io.reactivex.CompletableSource",
            "io.reactivex.MaybeSource",
            "io.reactivex.ObservableSource",
            "io.reactivex.SingleSource",
            "io.smallrye.mutiny.Uni",
            "kotlinx.coroutines.Job",
            "kotlinx.coroutines.flow.Flow",
            "org.springframework.web.context.request.async.DeferredResult",
            "org.springframework.web.context.request.async.WebAsyncTask",
            "org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter",
            "org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody");

    private final StringValueResolver placeholders;

    /** @param placeholders resolves {@code ${…}} in durations */
    public AnnotationReader(StringValueResolver placeholders) {
        this.placeholders = placeholders;
    }

    /** What the method says about sagas, or null if it says nothing. */
    @Nullable
    SagaDefinition saga(Method method, Class<?> beanClass) {
        SagaStart start = SagaStarts.of(method, beanClass);
        SagaEnd end = AnnotatedElementUtils.findMergedAnnotation(method, SagaEnd.class);
        if (start != null && end != null) {
            throw new OmegaConfigurationException(
                    Names.of(method) + " is both @SagaStart and @SagaEnd.",
                    "A @SagaStart method ends its saga by itself unless it says autoClose = false: remove @SagaEnd.");
        }
        String operation = Names.operation(beanClass, method);
        if (start != null) {
            requireAdvisable(method, beanClass, SagaStart.class);
            PropagationCheck.check(method, start);
            return new SagaDefinition(
                    operation,
                    true,
                    start.propagation(),
                    start.autoClose(),
                    method.getReturnType() == void.class,
                    duration(method, "timeout", start.timeout()),
                    SagaLabels.of(method, start),
                    start.order(),
                    start.awaitDecision(),
                    List.of(start.abortFor()),
                    List.of(start.noAbortFor()));
        }
        if (end != null) {
            requireAdvisable(method, beanClass, SagaEnd.class);
            return new SagaDefinition(
                    operation,
                    false,
                    SagaPropagation.MANDATORY,
                    true,
                    method.getReturnType() == void.class,
                    Duration.ZERO,
                    SagaLabels.NONE,
                    CallbackOrder.SEQUENTIAL,
                    end.awaitDecision(),
                    List.of(end.abortFor()),
                    List.of(end.noAbortFor()));
        }
        return null;
    }

    /** What the method says about branches, or null if it says nothing. */
    @Nullable
    BranchDefinition branch(Method method, Class<?> beanClass) {
        Compensable compensable = AnnotatedElementUtils.findMergedAnnotation(method, Compensable.class);
        if (compensable == null) return null;
        requireAdvisable(method, beanClass, Compensable.class);
        requireRetries(method, "forwardRetries", compensable.forwardRetries(), 0);
        requireRetries(method, "reverseRetries", compensable.reverseRetries(), -1);
        requireTimeForRetries(method, compensable);
        requireGuardable(method, compensable);
        String fence = fence(method, compensable);
        CallbackFinder finder = new CallbackFinder(method, beanClass, compensable.fenced());
        Participate tried = AnnotatedElementUtils.findMergedAnnotation(method, Participate.class);
        if (tried != null) requireOneKind(method);
        CallbackMethod compensation = Aliases.add(
                        finder.find(
                                tried == null ? Role.COMPENSATION : Role.CANCELLATION,
                                compensable.compensationMethod(),
                                name(method, beanClass, compensable.name(), compensable.compensationMethod())),
                        method,
                        List.of(compensable.aliases()))
                .behind(fence);
        CallbackMethod confirmation = tried == null
                ? null
                : confirmation(method, beanClass, finder.besides(compensation), tried)
                        .behind(fence);
        if (compensable.compensateOnException()) requireCompensable(method, compensable);
        CallbackOffer.Builder offer = CallbackOffer.newBuilder().setName(compensation.name());
        CallbackPolicy policy = policy(method, compensable);
        if (!policy.equals(CallbackPolicy.getDefaultInstance())) offer.setPolicy(policy);
        BranchDefinition branch = new BranchDefinition(
                method,
                Names.operation(beanClass, method),
                parameterTypes(method, beanClass),
                ReturnKind.resultType(method, beanClass),
                compensable.forwardRetries(),
                duration(method, "forwardRetryDelay", compensable.forwardRetryDelay()),
                duration(method, "forwardTimeout", compensable.forwardTimeout()),
                compensation,
                confirmation,
                List.of(),
                offer.build(),
                compensable.fenced() && ReturnKind.of(method) != ReturnKind.FLUX,
                fence,
                compensable.cleanOnException(),
                compensable.compensateOnException(),
                compensable.storeResult(),
                compensable.outside(),
                CompensationArguments.of(method, compensation.method(), beanClass));
        branch.callbacks().forEach(callback -> CallbackFinder.requireFed(branch, callback));
        return branch;
    }

    /** The fence's name; empty if the method says none. */
    private String fence(Method method, Compensable compensable) {
        String name = String.valueOf(placeholders.resolveStringValue(compensable.fence()))
                .trim();
        if (name.isEmpty()) return name;
        if (!compensable.fenced()) {
            throw new OmegaConfigurationException(
                    "%s says fence = \"%s\" and fenced = false.".formatted(Names.of(method), name),
                    "Remove one of the two.");
        }
        if (ReturnKind.of(method) == ReturnKind.FLUX) {
            throw new OmegaConfigurationException(
                    "%s says fence = \"%s\", but %s, which has no fence."
                            .formatted(Names.of(method), name, ReturnKind.said(method)),
                    "Return a Mono, such as of a list, or remove fence.");
        }
        return name;
    }

    /** What only the fence can do, and what nobody can, of work that a subscriber does. */
    private static void requireGuardable(Method method, Compensable compensable) {
        ReturnKind later = ReturnKind.of(method);
        if (later == ReturnKind.FLUX && compensable.compensateOnException()) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException, but %s: that it began is noted nowhere."
                            .formatted(Names.of(method), ReturnKind.said(method)),
                    "Return a Mono, such as of a list, which the fence of R2DBC guards; or remove compensateOnException.");
        }
        if (later == ReturnKind.FLUX && compensable.forwardRetries() > 0) {
            throw new OmegaConfigurationException(
                    "%s has forwardRetries, but %s: what a failed try has emitted cannot be taken back."
                            .formatted(Names.of(method), ReturnKind.said(method)),
                    "Return a Mono, such as of a list, or set forwardRetries to 0.");
        }
    }

    private static CallbackMethod confirmation(
            Method method, Class<?> beanClass, CallbackFinder finder, Participate tried) {
        if (tried.confirmMethod().equals(tried.cancelMethod())) {
            throw new OmegaConfigurationException(
                    "%s names '%s' both to confirm and to cancel.".formatted(Names.of(method), tried.confirmMethod()),
                    "Give each a method of its own.");
        }
        String name = name(method, beanClass, tried.confirmName(), tried.confirmMethod());
        return Aliases.add(
                finder.find(Role.CONFIRMATION, tried.confirmMethod(), name), method, List.of(tried.confirmAliases()));
    }

    private static void requireOneKind(Method method) {
        boolean both = MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream(Compensable.class)
                .anyMatch(each -> !each.getMetaTypes().contains(Participate.class));
        if (!both) return;
        throw new OmegaConfigurationException(
                Names.of(method) + " is both @Compensable and @Participate.",
                "What is only undone is @Compensable, what is confirmed or cancelled is @Participate: remove one of the two.");
    }

    private static void requireCompensable(Method method, Compensable compensable) {
        if (compensable.cleanOnException()) {
            throw new OmegaConfigurationException(
                    "%s says cleanOnException, that an exception means nothing was done, and compensateOnException, that something may have been."
                            .formatted(Names.of(method)),
                    "Remove one of the two.");
        }
        if (!compensable.fenced()) {
            throw new OmegaConfigurationException(
                    "%s says compensateOnException and fenced = false: without the fence nobody knows whether it began, or keeps it from running after its compensation."
                            .formatted(Names.of(method)),
                    "Remove fenced = false, or compensateOnException.");
        }
    }

    static List<Type> parameterTypes(Method method, Class<?> beanClass) {
        List<Type> types = new ArrayList<>();
        for (Type type : method.getGenericParameterTypes()) {
            types.add(ResolvedTypes.of(type, beanClass));
        }
        return types.subList(0, KotlinFunctions.parameterCount(method));
    }

    /**
     * The logical name of a callback.
     *
     * @param given by the annotation on {@code method}; blank for the one that its class and {@code callback} make
     */
    static String name(Method method, Class<?> beanClass, String given, String callback) {
        String name = given.isBlank() ? ClassUtils.getShortName(beanClass) + "." + callback : given;
        if (name.length() > NAME_CHARS) {
            throw new OmegaConfigurationException(
                    "The callback '%s' that %s names has a logical name of %d characters, at most %d are possible."
                            .formatted(callback, Names.of(method), name.length(), NAME_CHARS),
                    "Give it a shorter one by the annotation's attribute for the name.");
        }
        return name;
    }

    private CallbackPolicy policy(Method method, Compensable compensable) {
        Duration first = duration(method, "reverseRetryDelay", compensable.reverseRetryDelay());
        Duration max = duration(method, "reverseMaxDelay", compensable.reverseMaxDelay());
        if (!first.isZero() && !max.isZero() && max.compareTo(first) < 0) {
            throw new OmegaConfigurationException(
                    "%s on %s has reverseMaxDelay %s, shorter than reverseRetryDelay %s."
                            .formatted(Names.annotation(method, Compensable.class), Names.of(method), max, first),
                    "The pause begins with reverseRetryDelay and doubles up to reverseMaxDelay: make that the longer.");
        }
        Duration timeout = duration(method, "reverseTimeout", compensable.reverseTimeout());
        Duration limit = duration(method, "reverseTimeLimit", compensable.reverseTimeLimit());
        if (!limit.isZero() && timeout.compareTo(limit) > 0) {
            throw new OmegaConfigurationException(
                    "%s on %s has reverseTimeout %s for one attempt, longer than reverseTimeLimit %s for all."
                            .formatted(Names.annotation(method, Compensable.class), Names.of(method), timeout, limit),
                    "Make reverseTimeLimit the longer.");
        }
        return CallbackPolicy.newBuilder()
                .setAttempts(compensable.reverseRetries() + 1)
                .setTimeoutMillis(timeout.toMillis())
                .setFirstDelayMillis(first.toMillis())
                .setMaxDelayMillis(max.toMillis())
                .setWithinMillis(limit.toMillis())
                .build();
    }

    private void requireTimeForRetries(Method method, Compensable compensable) {
        Duration delay = duration(method, "forwardRetryDelay", compensable.forwardRetryDelay());
        Duration timeout = duration(method, "forwardTimeout", compensable.forwardTimeout());
        if (compensable.forwardRetries() == 0 || timeout.isZero() || delay.compareTo(timeout) < 0) return;
        throw new OmegaConfigurationException(
                "%s on %s has forwardRetries, but forwardRetryDelay %s is not shorter than forwardTimeout %s for all tries: there would be none."
                        .formatted(Names.annotation(method, Compensable.class), Names.of(method), delay, timeout),
                "Make forwardTimeout the longer, or set forwardRetries to 0.");
    }

    /** Zero if the text is empty. */
    private Duration duration(Method method, String attribute, String text) {
        String resolved = String.valueOf(placeholders.resolveStringValue(text)).trim();
        if (resolved.isEmpty()) return Duration.ZERO;
        Duration duration;
        try {
            duration = DurationStyle.detectAndParse(resolved);
        } catch (IllegalArgumentException e) {
            throw badDuration(method, attribute, resolved);
        }
        if (duration.toMillis() < 1 || duration.compareTo(DURATION_MAX) > 0) {
            throw badDuration(method, attribute, resolved);
        }
        return duration;
    }

    private static OmegaConfigurationException badDuration(Method method, String attribute, String text) {
        return new OmegaConfigurationException(
                "%s of %s is '%s', expected a duration from 1ms to 30d.".formatted(attribute, Names.of(method), text),
                "Write it as 30s, 500ms, 2m, PT30S or as a ${placeholder} for one of these, or leave it empty.");
    }

    private static void requireRetries(Method method, String attribute, int value, int min) {
        if (value < min || value > RETRIES_MAX) {
            throw new OmegaConfigurationException(
                    "%s of %s is %d, expected %d to %d."
                            .formatted(attribute, Names.of(method), value, min, RETRIES_MAX),
                    "Choose a number in that range.");
        }
    }

    private static void requireAdvisable(Method method, Class<?> beanClass, Class<? extends Annotation> annotation) {
        String role = "is " + Names.annotation(method, annotation);
        if (annotation == SagaStart.class && SagaStarts.isStartByType(method, beanClass)) role += " (on its type)";
        requireProxyable(method, beanClass, role);
        if (ReturnKind.of(method) != ReturnKind.NOW) {
            KotlinChecks.requireCallable(method, role);
            return;
        }
        requireDoneOnReturn(
                method,
                role,
                "Annotate the method that does the work and returns when it is done; call that one asynchronously.");
    }

    /** @param role what the method is, such as "is @SagaStart" */
    static void requireDoneOnReturn(Method method, String role, String action) {
        Class<?> result = method.getReturnType();
        if (returnsLater(result)) throw notDone(method, role + " and returns a " + result.getSimpleName(), action);
        if (KotlinFunctions.isSuspend(method)) throw notDone(method, role + " and a suspend function", action);
    }

    static OmegaConfigurationException notDone(Method method, String what, String action) {
        return new OmegaConfigurationException(
                "%s %s: it returns before its work is done, so omega cannot tell how that went."
                        .formatted(Names.of(method), what),
                action);
    }

    /** @param role what the method is, such as "is @SagaStart" */
    static void requireProxyable(Method method, Class<?> beanClass, String role) {
        if (Modifier.isPrivate(method.getModifiers())) throw notProxyable(method, role, "private");
        if (Modifier.isStatic(method.getModifiers())) throw notProxyable(method, role, "static");
        // What an interface has may be proxied by that, which is known when there is a bean.
        if (!FinalBeans.isOfInterface(method, beanClass)) requireNotFinal(method, beanClass, role);
    }

    private static OmegaConfigurationException notProxyable(Method method, String role, String obstacle) {
        return new OmegaConfigurationException(
                "%s %s but %s: Spring's proxy cannot intercept it.".formatted(Names.of(method), role, obstacle),
                "Make it a public method that is neither static nor final.");
    }

    static void requireNotFinal(Method method, Class<?> beanClass, String role) {
        if (Modifier.isFinal(method.getModifiers())) throw notProxyable(method, role, "final");
        if (Modifier.isFinal(beanClass.getModifiers())) {
            throw new OmegaConfigurationException(
                    "%s %s but its class is final: Spring's proxy cannot extend it.".formatted(Names.of(method), role),
                    "Remove final from class " + beanClass.getName() + " (in Kotlin: open, or the spring plugin).");
        }
    }

    static boolean returnsLater(Class<?> type) {
        if (Future.class.isAssignableFrom(type) || Callable.class.isAssignableFrom(type)) return true;
        for (Class<?> each = type; each != null; each = each.getSuperclass()) {
            if (LATER.contains(each.getName())) return true;
        }
        return ClassUtils.getAllInterfacesForClassAsSet(type).stream().anyMatch(i -> LATER.contains(i.getName()));
    }
}
