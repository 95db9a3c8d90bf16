package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.CallbackFinder.Role;
import io.alphaomega.omega.spring.method.Names;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;

/** The methods that follow a decision ({@link AfterCommit}, {@link AfterAbort}), and the branches that they are about. */
public final class AfterMethods {
    /** All their annotations. */
    public static final List<Class<? extends Annotation>> ANNOTATIONS = List.of(AfterCommit.class, AfterAbort.class);

    private static final List<Class<? extends Annotation>> OTHERS =
            List.of(SagaStart.class, SagaEnd.class, Compensable.class);

    private final OmegaDefinitions definitions;
    private final OfferedCallbacks callbacks;
    private final Predicate<String> mocked;

    /** By bean and method: a bean may be read twice. */
    private final Map<List<Object>, Branch> branches = new LinkedHashMap<>();

    private final Map<List<Object>, After> afters = new LinkedHashMap<>();

    /** A branch's method, and the bean that has it. */
    private record Branch(String bean, Class<?> beanClass, Method method) {}

    /** A method that follows, and the bean that has it. */
    private record After(
            String bean,
            Class<?> beanClass,
            Method method,
            Role role,
            List<String> operations,
            String name,
            List<String> aliases) {}

    /** A callback of a branch, found in that bean. */
    public record Bound(String bean, Class<?> beanClass, BranchDefinition branch, CallbackMethod callback) {}

    /** @param mocked whether the branch of that name is one of a mock */
    public AfterMethods(OmegaDefinitions definitions, OfferedCallbacks callbacks, Predicate<String> mocked) {
        this.definitions = definitions;
        this.callbacks = callbacks;
        this.mocked = mocked;
    }

    public synchronized void addBranch(String bean, Class<?> beanClass, Method method) {
        branches.put(List.of(bean, method), new Branch(bean, beanClass, method));
    }

    /** Adds what the method says to follow, if anything. */
    public synchronized void add(String bean, Class<?> beanClass, Method method) {
        AfterCommit commit = AnnotatedElementUtils.findMergedAnnotation(method, AfterCommit.class);
        if (commit != null) {
            add(new After(
                    bean,
                    beanClass,
                    method,
                    Role.AFTER_COMMIT,
                    List.of(commit.value()),
                    commit.name(),
                    List.of(commit.aliases())));
        }
        AfterAbort abort = AnnotatedElementUtils.findMergedAnnotation(method, AfterAbort.class);
        if (abort != null) {
            add(new After(bean, beanClass, method, Role.AFTER_ABORT, List.of(abort.value()), "", List.of()));
        }
    }

    /** Of a bean that was made after startup: nothing that it adds would be called. */
    public synchronized void requireAdded(String bean, Method method) {
        boolean added = afters.values().stream()
                .anyMatch(each -> each.bean().equals(bean) && each.method().equals(method));
        if (added) return;
        throw new OmegaConfigurationException(
                "%s follows the decision of a saga, but its bean '%s' was made after startup, when all that follows had been found: it would never be called."
                        .formatted(Names.of(method), bean),
                "Let the type of the bean say at startup what it has: return its class from the @Bean method, or from"
                        + " getObjectType() of its FactoryBean. Or have it made then, with @Lazy(false).");
    }

    private void add(After after) {
        CallbackFinder.requireCallable(after.method(), after.beanClass(), after.role(), false);
        for (Class<? extends Annotation> other : OTHERS) {
            if (!AnnotatedElementUtils.hasAnnotation(after.method(), other)) continue;
            throw new OmegaConfigurationException(
                    "%s is %s and %s."
                            .formatted(
                                    Names.of(after.method()),
                                    after.role().predicate,
                                    Names.annotation(after.method(), other)),
                    "What follows a decision takes no part in the saga: make two methods of it.");
        }
        if (after.operations().isEmpty()) {
            throw new OmegaConfigurationException(
                    "%s is %s of nothing.".formatted(Names.of(after.method()), after.role().predicate),
                    "Name the method of a branch, as in " + after.role().predicate + "(\"CarDesk.book\").");
        }
        afters.put(List.of(after.bean(), after.method(), after.role()), after);
    }

    /**
     * Binds each to its branches; to be asked when all are there, and before any branch begins.
     *
     * @return all callbacks of all branches
     */
    public synchronized List<Bound> bind() {
        List<Bound> bound = new ArrayList<>();
        for (Branch branch : branches.values()) {
            BranchDefinition definition = definition(branch);
            for (CallbackMethod callback : definition.callbacks()) {
                bound.add(new Bound(branch.bean(), branch.beanClass(), definition, callback));
            }
        }
        Map<List<Object>, After> taken = new HashMap<>();
        for (After after : afters.values()) {
            for (String operation : after.operations()) {
                if (isMockedOnly(operation)) continue;
                Branch branch = branchOf(after, operation);
                After other = taken.putIfAbsent(List.of(branch.bean(), branch.method(), after.role()), after);
                if (other != null) throw twice(after, other, operation);
                bound.add(bind(after, branch));
            }
        }
        requireSharedAlike();
        return bound;
    }

    /** No saga has that branch, and nothing follows it. */
    private boolean isMockedOnly(String operation) {
        return mocked.test(operation)
                && branches.values().stream()
                        .noneMatch(each -> definition(each).operation().equals(operation));
    }

    private BranchDefinition definition(Branch branch) {
        return Objects.requireNonNull(definitions.branch(branch.method(), branch.beanClass()));
    }

    private Branch branchOf(After after, String operation) {
        List<Branch> named = branches.values().stream()
                .filter(each -> definition(each).operation().equals(operation))
                .toList();
        if (named.isEmpty()) {
            Set<String> known = branches.values().stream()
                    .map(each -> definition(each).operation())
                    .collect(Collectors.toCollection(TreeSet::new));
            throw new OmegaConfigurationException(
                    "%s is %s of '%s', but this service has no such branch, only %s."
                            .formatted(Names.of(after.method()), after.role().predicate, operation, known),
                    "Name a method of this service that is @Compensable or @Participate: the simple name of its class, a"
                            + " dot, and its own.");
        }
        List<Branch> fitting = named.stream()
                .filter(each -> finder(each).fits(after.role(), after.method(), after.beanClass()))
                .toList();
        // Several beans of one class share what follows.
        if (fitting.stream().map(Branch::method).distinct().count() == 1) return fitting.get(0);
        if (fitting.isEmpty()) {
            throw new OmegaConfigurationException(
                    "%s is %s of '%s', but must be one of %s."
                            .formatted(
                                    Names.of(after.method()),
                                    after.role().predicate,
                                    operation,
                                    finder(named.get(0)).expected(after.method().getName())),
                    "Give it the parameters of that method, or what its compensation says by @CompensationArgument, the same"
                            + " followed by its result, or none.");
        }
        throw new OmegaConfigurationException(
                "%s is %s of '%s', which may be any of %s."
                        .formatted(
                                Names.of(after.method()),
                                after.role().predicate,
                                operation,
                                fitting.stream()
                                        .map(each -> Names.of(each.method()))
                                        .collect(Collectors.joining(" and "))),
                "Rename all but one of these methods, or give it the parameters of the one that is meant.");
    }

    private CallbackFinder finder(Branch branch) {
        return new CallbackFinder(branch.method(), branch.beanClass(), true)
                .besides(definition(branch).compensation());
    }

    private static OmegaConfigurationException twice(After one, After other, String operation) {
        return new OmegaConfigurationException(
                "Two methods are %s of '%s': %s and %s."
                        .formatted(one.role().predicate, operation, Names.of(other.method()), Names.of(one.method())),
                "Let one of them call the other.");
    }

    /** After a commit it is the confirmation, or follows it; after an abort it follows the compensation. */
    private Bound bind(After after, Branch branch) {
        BranchDefinition before = definition(branch);
        if (!ReturnKind.of(branch.method()).isReactive()) {
            CallbackFinder.requireCallable(after.method(), after.beanClass(), after.role(), true);
        }
        String name = AnnotationReader.name(
                after.method(), after.beanClass(), after.name(), after.method().getName());
        CallbackMethod callback = Aliases.add(
                        finder(branch).describe(after.role(), name, after.method(), after.beanClass()),
                        after.method(),
                        after.aliases())
                .behind(before.fence());
        CallbackFinder.requireFed(before, callback);
        BranchDefinition now;
        if (after.role() == Role.AFTER_COMMIT && before.confirmation() == null) {
            now = before.confirmedBy(callback);
            callbacks.offer(after.bean(), callback);
        } else {
            now = before.followedBy(callback);
            callbacks.follow(followed(before, after.role()).name(), after.bean(), callback);
        }
        definitions.replace(branch.method(), branch.beanClass(), now);
        return new Bound(after.bean(), after.beanClass(), now, callback);
    }

    private static CallbackMethod followed(BranchDefinition branch, Role role) {
        return role == Role.AFTER_COMMIT ? Objects.requireNonNull(branch.confirmation()) : branch.compensation();
    }

    /** Alpha says which callback it asks for, not of which method: those that share one must be followed by the same. */
    private void requireSharedAlike() {
        Map<String, BranchDefinition> first = new HashMap<>();
        for (Branch branch : branches.values()) {
            BranchDefinition definition = definition(branch);
            requireAlike(definition, definition.compensation(), Role.AFTER_ABORT, first);
            CallbackMethod confirmation = definition.confirmation();
            if (confirmation != null) requireAlike(definition, confirmation, Role.AFTER_COMMIT, first);
        }
    }

    private static void requireAlike(
            BranchDefinition branch, CallbackMethod callback, Role role, Map<String, BranchDefinition> first) {
        BranchDefinition other = first.putIfAbsent(callback.name(), branch);
        if (other == null || Objects.equals(sequel(branch, role), sequel(other, role))) return;
        throw new OmegaConfigurationException(
                "%s and %s share the callback '%s', but not what is %s."
                        .formatted(
                                Names.of(other.method()), Names.of(branch.method()), callback.name(), role.predicate),
                "Name both in the annotation of the method that follows, which takes the same of both, or give them"
                        + " callbacks of their own.");
    }

    private static @Nullable CallbackMethod sequel(BranchDefinition branch, Role role) {
        return branch.sequels().stream()
                .filter(each -> each.role() == role)
                .findFirst()
                .orElse(null);
    }
}
