package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.payload.Payloads;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.TransactionManager;

/** The business of a branch inside its local transaction, behind the branch's fence where there is one. */
public final class FencedExecution {
    private final Payloads payloads;
    private final @Nullable Fences<LocalFence> fences;
    private final @Nullable Fences<ReactiveLocalFence> reactiveFences;
    private final @Nullable RedisFences redisFences;
    private final boolean enabled;

    /** @param enabled whether there is a fence where there can be one */
    public FencedExecution(
            Payloads payloads,
            @Nullable Fences<LocalFence> fences,
            @Nullable Fences<ReactiveLocalFence> reactiveFences,
            @Nullable RedisFences redisFences,
            boolean enabled) {
        this.payloads = payloads;
        this.fences = fences;
        this.reactiveFences = reactiveFences;
        this.redisFences = redisFences;
        this.enabled = enabled;
    }

    /** Something that may throw anything. */
    public interface Business {
        public @Nullable Object run() throws Throwable;
    }

    /** Whether there is any fence that guards branches which name none, and whose work is done when their method returns. */
    public boolean fences() {
        return fences != null && !fences.all().isEmpty();
    }

    /** Whether there is a fence for branches of that method, and they are behind it. */
    public boolean fences(BranchDefinition definition) {
        if (!definition.fenced()) return false;
        return isReactive(definition.method()) ? reactive(definition) != null : fence(definition) != null;
    }

    /** Whether these branches are behind a fence in Redis: it guards the script that they execute, and nothing else. */
    public boolean fencesInRedis(BranchDefinition definition) {
        return definition.fenced() && redis(definition.fence()) != null;
    }

    /** Whether the fence keeps what these branches return. */
    public boolean keepsResults(BranchDefinition definition) {
        return fences(definition) && !fencesInRedis(definition);
    }

    /**
     * Whether alpha need not hear of the end of these branches soon. Of a row that Redis has lost, or that is beside other
     * keys than those of the compensation, only that end tells.
     */
    public boolean endsMayTravel(BranchDefinition definition) {
        return !fencesInRedis(definition);
    }

    /**
     * Requires the fence that a method names.
     *
     * @throws OmegaConfigurationException if that fence is named and not there, unless there shall be none
     */
    public void requireNamed(String who, String fence, ReturnKind later) {
        if (fence.isEmpty() || !enabled) return;
        if (redis(fence) != null) {
            if (!later.isReactive()) return;
            throw new OmegaConfigurationException(
                    "%s is behind the fence '%s', which is in Redis, but returns a publisher or is a suspend function: that fence is for methods that wait."
                            .formatted(who, fence),
                    "Return the plain value and call it on a scheduler that may wait, or say fenced = false and read what"
                            + " that means.");
        }
        Fences<?> there = later == ReturnKind.MONO ? reactiveFences : fences;
        if (there != null && there.of(fence) != null) return;
        throw new OmegaConfigurationException(
                "%s is behind the fence '%s', but this service has no %s, and so no fence of that kind."
                        .formatted(who, fence, missing(fence, later)),
                "Name a transaction manager of the service, or say fenced = false and read what that means.");
    }

    private static String missing(String fence, ReturnKind later) {
        if (fence.equals(RedisFences.ONLY)) return "RedisConnectionFactory of Spring Data Redis";
        return later == ReturnKind.MONO
                ? "ConnectionFactory of R2DBC with an R2dbcTransactionManager"
                : "DataSource with a PlatformTransactionManager";
    }

    /** Whether that manager surely commits something else than the rows of that branch's fence. */
    public boolean isApartFrom(TransactionManager manager, BranchDefinition definition) {
        if (isReactive(definition.method())) {
            ReactiveLocalFence reactive = reactive(definition);
            return reactive != null && reactive.isApartFrom(manager);
        }
        return fence(definition) instanceof LocalFence fence && fence.isApartFrom(manager);
    }

    private static boolean isReactive(Method method) {
        return ReturnKind.of(method) == ReturnKind.MONO;
    }

    /** The fence of the branch's work if that is done when its method returns; null if there is none. */
    public @Nullable BlockingFence fence(BranchDefinition definition) {
        return blocking(definition.fence());
    }

    private @Nullable BlockingFence blocking(String name) {
        RedisLocalFence redis = redis(name);
        if (redis != null) return redis;
        return fences == null ? null : fences.of(name);
    }

    private @Nullable RedisLocalFence redis(String name) {
        return redisFences == null ? null : redisFences.of(name);
    }

    /** The fence of the branch's work if that is a {@code Mono}; null if there is none. */
    public @Nullable ReactiveLocalFence reactive(BranchDefinition definition) {
        return reactiveFences == null ? null : reactiveFences.of(definition);
    }

    /**
     * What a callback meets; null if there is none. What returns a {@code Mono} does its work through R2DBC, as its branch
     * did: that is the transaction with its row.
     */
    public @Nullable CallbackFence fenceOf(CallbackMethod callback) {
        if (!isReactive(callback.method())) return blocking(callback.fence());
        ReactiveLocalFence reactive = reactiveFences == null ? null : reactiveFences.of(callback.fence());
        return reactive == null ? null : new ReactiveCallbacks(reactive);
    }

    /** As {@link #fenceOf(BranchDefinition)}, of work that is a {@code Mono}: nobody waits for the answer. */
    public CompletableFuture<String> fenceOfLater(BranchDefinition definition) {
        ReactiveLocalFence fence = definition.fenced() && isReactive(definition.method()) ? reactive(definition) : null;
        return fence == null ? CompletableFuture.completedFuture("") : fence.id();
    }

    /** The id of the fence that a branch which begins now begins behind; empty if there is none. */
    public String fenceOf(BranchDefinition definition) {
        BlockingFence fence = definition.fenced() ? fence(definition) : null;
        return fence == null ? "" : fence.id();
    }

    /** Notes, outside of transactions, that the business is about to begin. */
    public void begin(String saga, String branch, BranchDefinition definition) throws Throwable {
        BlockingFence fence = fence(definition);
        if (fence != null) fence.begin(saga, branch);
    }

    /**
     * Whether no run of the branch, behind its fence, has left anything behind, or ever will.
     *
     * @param last its last try here; null if there was none
     */
    public boolean bar(BranchDefinition definition, String saga, String branch, @Nullable Attempt last) {
        BlockingFence fence = fence(definition);
        if (fence == null) return true;
        return last == null ? fence.bar(saga, branch) : fence.bar(last);
    }

    /**
     * What a branch returned that comes again after its saga was committed; it does not run.
     *
     * @throws CommittedException that, if it did not run before, or has no fence that could tell: in Redis its row is where
     *     only the method knows
     */
    public @Nullable Object again(CommittedException committed, String branch, BranchDefinition definition)
            throws Throwable {
        if (!definition.fenced() || !(fence(definition) instanceof LocalFence fence)) throw committed;
        return fence.again(committed, branch, definition);
    }

    public @Nullable Object run(Attempt attempt, Business business) throws Throwable {
        BlockingFence fence = attempt.fenced() ? fence(attempt.definition()) : null;
        if (fence != null) return fence.forward(attempt, business);
        attempt.reached();
        Object result = business.run();
        attempt.done();
        if (attempt.definition().takesResult()) {
            attempt.returned(payloads.result(attempt.definition(), result));
        }
        return result;
    }

    /**
     * A fence that is in use, for people.
     *
     * @param transactionManager its bean name; of a fence in Redis, that of the {@code FencedRedis}
     * @param kind JDBC, R2DBC or REDIS
     * @param ids of its tables, as alpha knows them, as far as they have been met; several where the database is chosen
     *     for each transaction
     */
    public record KnownFence(String transactionManager, String kind, Collection<String> ids) {}

    public List<KnownFence> knownFences() {
        List<KnownFence> all = new ArrayList<>();
        add("JDBC", fences, all);
        add("R2DBC", reactiveFences, all);
        if (redisFences != null) all.addAll(redisFences.known());
        return all;
    }

    private static <F> void add(String kind, @Nullable Fences<F> fences, List<KnownFence> all) {
        if (fences == null) return;
        for (Fences.Guard<F> each : fences.all()) {
            all.add(new KnownFence(each.manager(), kind, each.ids().get()));
        }
    }
}
