package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.fence.Forward;
import io.alphaomega.omega.fence.Found;
import io.alphaomega.omega.fence.RedisFence;
import io.alphaomega.omega.fence.ScriptFailedException;
import io.alphaomega.omega.redis.FencedRedis;
import io.alphaomega.omega.redis.RedisStep;
import io.alphaomega.omega.rules.BranchInput;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.BranchDefinition;
import io.alphaomega.omega.spring.payload.Payloads;
import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.redis.RedisSystemException;

/** The fence in Redis. It stands around the script that a method executes, not around the method. */
final class RedisLocalFence implements BlockingFence {
    private static final Logger log = LoggerFactory.getLogger(RedisLocalFence.class);

    private final String name;
    private final FencedRedis redis;
    private final RedisFence.Scripts scripts;
    private final RedisFence fence;
    private final Payloads payloads;
    private final Duration retention;
    private volatile boolean fit;

    /**
     * @param name of the bean
     * @param retention how long rows are kept: of an older branch, no row says nothing
     */
    RedisLocalFence(String name, FencedRedis redis, Payloads payloads, Duration retention) {
        this.name = name;
        this.redis = redis;
        this.scripts = RedisStep.scripts(redis);
        this.fence = new RedisFence(retention);
        this.payloads = payloads;
        this.retention = retention;
    }

    /**
     * Asked for each time: a Redis that was emptied has another one, and a row in it says nothing of what began before.
     *
     * @throws OmegaConfigurationException if the Redis does not keep rows, found out when it answers first
     */
    @Override
    public String id() {
        if (!fit) {
            RedisSettings.check(name, scripts);
            fit = true;
        }
        return RedisFence.idOrNew(scripts);
    }

    @Override
    public void begin(String saga, String branch) {
        throw new IllegalStateException("Nothing is noted in Redis before a script has said where.");
    }

    @Override
    public @Nullable Object forward(Attempt attempt, FencedExecution.Business business) throws Throwable {
        BranchDefinition definition = attempt.definition();
        attempt.reached(false);
        attempt.settle(BranchInput.ENDED_UNKNOWN); // Until a script has said.
        Forwarding step = new Forwarding(attempt);
        Object result;
        RedisStep.Scope scope = RedisStep.open(step);
        try {
            result = business.run();
        } finally {
            scope.close();
        }
        step.requireEffect();
        if (definition.takesResult()) attempt.returned(payloads.result(definition, result));
        return result;
    }

    /** Where the row would be, nobody knows. */
    @Override
    public boolean bar(String saga, String branch) {
        return false;
    }

    @Override
    public boolean bar(Attempt attempt) {
        if (attempt.place().isEmpty()) return false;
        try {
            return fence.bar(scripts, attempt.saga(), attempt.branch(), attempt.place());
        } catch (RuntimeException e) {
            log.warn(
                    "It is unknown whether branch {} of saga {} took effect; alpha compensates it.",
                    attempt.branch(),
                    attempt.saga(),
                    e);
            return false;
        }
    }

    @Override
    public Compensation compensate(
            String saga, String branch, String began, boolean forwardEnded, Duration age, CallbackWork work)
            throws Throwable {
        boolean rowExpected = forwardEnded || age.compareTo(retention) >= 0;
        return callBack(
                "The compensation of branch " + branch,
                saga,
                branch,
                began,
                script -> fence.compensation(scripts, saga, branch, script, rowExpected),
                work);
    }

    @Override
    public Confirmation confirm(String saga, String branch, String began, CallbackWork work) throws Throwable {
        return callBack(
                "The confirmation of branch " + branch,
                saga,
                branch,
                began,
                script -> fence.confirmation(scripts, saga, branch, script),
                work);
    }

    /** A service with such methods does not start. */
    @Override
    public void follow(String saga, String branch, String began, CallbackWork work) {
        throw new IllegalStateException("Nothing follows the callbacks of branches behind a fence in Redis.");
    }

    /** Only the keys of the branch's script say where the row is, and those only its business knows. */
    @Override
    public Found look(String saga, String branch, String began) {
        throw new UnknowableException("a fence in Redis keeps its row beside the keys of the business,"
                + " which nobody knows without running it: look at those keys");
    }

    @Override
    public Duration retention() {
        return retention;
    }

    private <V> V callBack(
            String who,
            String saga,
            String branch,
            String began,
            Function<RedisFence.Work, RedisFence.Answer<V>> decision,
            CallbackWork work)
            throws Throwable {
        requireOurs(began);
        Calling<V> step = new Calling<>(who, saga, branch, decision);
        RedisStep.Scope scope = RedisStep.open(step);
        try {
            Object unused = work.run(null); // It waits by itself. What the branch returned, only alpha knows.
        } catch (Throwable thrown) {
            // That it has nothing to do a method is told by an exception, whatever it makes of that.
            if (!step.isOver()) throw thrown;
        } finally {
            scope.close();
        }
        return step.verdict();
    }

    private void requireOurs(String began) {
        if (began.isEmpty()) return;
        String here = RedisFence.id(scripts).orElse("none");
        if (here.equals(began)) return;
        throw new UnknowableException("the branch began behind the fence " + began + ", that of the Redis '" + name
                + "' is " + here + ": it is another Redis, or has lost its data");
    }

    private SagaException second(String who) {
        return new SagaException(
                "%s has executed a second script; it did not run. Each would take effect by itself, and a compensation could come between the two: make one script of them."
                        .formatted(who));
    }

    private void requireThis(String who, FencedRedis other) {
        if (other == redis) return;
        throw new SagaException(
                "%s is behind the fence '%s', but has executed a script at another Redis; it did not run. Name the fence of the Redis that the branch writes to."
                        .formatted(who, name));
    }

    private static RedisSystemException failed(String who, ScriptFailedException e) {
        return new RedisSystemException(
                "The script of %s has failed and left nothing: %s".formatted(who, e.getMessage()), e);
    }

    /** The forward call of a branch: one script takes effect, if any does. */
    private final class Forwarding implements RedisStep {
        private final Attempt attempt;
        private boolean executed;
        private @Nullable SagaException refusal;

        Forwarding(Attempt attempt) {
            this.attempt = attempt;
        }

        @Override
        public String saga() {
            return attempt.saga();
        }

        @Override
        public String branch() {
            return attempt.branch();
        }

        @Override
        public @Nullable Object run(FencedRedis at, RedisFence.Work work) {
            String who = attempt.definition().operation();
            requireThis(who, at);
            if (executed) throw second(who);
            executed = true;
            attempt.settle(BranchInput.ENDED_UNKNOWN);
            try {
                RedisFence.Answer<Forward.Verdict> said = fence.forward(
                        scripts,
                        attempt.saga(),
                        attempt.branch(),
                        work,
                        attempt.definition().storeResult());
                attempt.settle(said.effect() ? BranchInput.COMMITTED : BranchInput.ROLLED_BACK);
                boolean kept = said.verdict() == Forward.Verdict.RUN
                        || attempt.definition().storeResult();
                if (said.effect()) return kept ? said.reply() : NotKept.REPLY;
                attempt.place(work.tag());
                throw refused(attempt.refused());
            } catch (ScriptFailedException e) {
                if (e.wrote()) {
                    throw refused(new SagaException(
                            "The script of %s has failed after it had written, which Redis does not take back, so it is unknown what there is to undo: %s. A person must look; let scripts check everything before they write."
                                    .formatted(who, e.getMessage()),
                            e));
                }
                executed = false;
                attempt.settle(BranchInput.ROLLED_BACK);
                attempt.place(work.tag());
                throw failed(who, e);
            }
        }

        private SagaException refused(SagaException because) {
            refusal = because;
            return because;
        }

        /** Of a method that has returned, whatever it has swallowed. */
        void requireEffect() {
            if (refusal != null) throw refusal;
            if (executed) return;
            BranchDefinition definition = attempt.definition();
            throw new SagaException(
                    "%s is behind the fence '%s' and has returned, but no script of FencedRedis.execute has taken effect on its thread: the fence knows nothing of it. Let it execute one, or say fenced = false and read what that means."
                            .formatted(definition.operation(), definition.fence()));
        }
    }

    /** A callback. */
    private final class Calling<V> implements RedisStep {
        private final String who;
        private final String saga;
        private final String branch;
        private final Function<RedisFence.Work, RedisFence.Answer<V>> decision;
        private RedisFence.@Nullable Answer<V> said;
        private @Nullable UnknowableException unknowable;

        Calling(String who, String saga, String branch, Function<RedisFence.Work, RedisFence.Answer<V>> decision) {
            this.who = who;
            this.saga = saga;
            this.branch = branch;
            this.decision = decision;
        }

        @Override
        public String saga() {
            return saga;
        }

        @Override
        public String branch() {
            return branch;
        }

        @Override
        public @Nullable Object run(FencedRedis at, RedisFence.Work work) {
            requireThis(who, at);
            if (said != null || unknowable != null) throw second(who);
            RedisFence.Answer<V> answer;
            try {
                answer = decision.apply(work);
            } catch (ScriptFailedException e) {
                if (!e.wrote()) throw failed(who, e);
                unknowable =
                        new UnknowableException("a script of the branch has failed after it had written, which Redis"
                                + " does not take back: " + e.getMessage());
                throw unknowable;
            }
            said = answer;
            if (answer.effect()) return answer.reply();
            throw new NothingToDoException(who);
        }

        boolean isOver() {
            return unknowable != null || (said != null && !said.effect());
        }

        V verdict() {
            if (unknowable != null) throw unknowable;
            if (said != null) return said.verdict();
            throw new SagaException(
                    "%s has returned, but no script of FencedRedis.execute has been answered on its thread, so it is unknown whether there was anything to do. Let it execute one each time, with keys of the same hash tag as those of the branch."
                            .formatted(who));
        }
    }

    /** Ends a callback that has nothing to do: there is no reply that its method could go on with. */
    private static final class NothingToDoException extends RuntimeException {
        NothingToDoException(String who) {
            super(who + " has nothing to do at Redis; omega ends it here, and alpha is told.", null, false, false);
        }
    }
}
