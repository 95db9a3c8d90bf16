package io.alphaomega.omega.spring.observe;

import io.alphaomega.omega.observation.BranchObservation;
import io.alphaomega.omega.observation.BranchObservationConvention;
import io.alphaomega.omega.observation.CallbackObservation;
import io.alphaomega.omega.observation.CallbackObservationConvention;
import io.alphaomega.omega.observation.SagaObservation;
import io.alphaomega.omega.observation.SagaObservationConvention;
import io.alphaomega.protocol.v1.Callback;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationConvention;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Observes with Micrometer: timers, and spans where the service has Micrometer Tracing. */
public final class MicrometerObservations implements Observations {
    private static final Logger log = LoggerFactory.getLogger(MicrometerObservations.class);

    private final ObservationRegistry registry;
    private final Conventions conventions;
    private final Supplier<String> traceparent;

    /** How the service, or else omega, describes what is observed. */
    public record Conventions(
            SagaObservationConvention saga,
            BranchObservationConvention branch,
            CallbackObservationConvention callback) {}

    /** @param traceparent W3C trace context of the current span, or empty */
    public MicrometerObservations(ObservationRegistry registry, Conventions conventions, Supplier<String> traceparent) {
        this.registry = registry;
        this.conventions = conventions;
        this.traceparent = traceparent;
    }

    @Override
    public Observed saga(String operation, String saga) {
        SagaObservation context = new SagaObservation(operation, saga);
        return start(conventions.saga(), context, context::ended);
    }

    @Override
    public Observed branch(String operation, String saga, String branch) {
        BranchObservation context = new BranchObservation(operation, saga, branch);
        return start(conventions.branch(), context, context::ended);
    }

    @Override
    public Observed callback(Callback callback) {
        CallbackObservation context = new CallbackObservation(
                callback.getName(),
                callback.getKind().name(),
                callback.getSaga(),
                callback.getBranch(),
                callback.getAttempt(),
                callback.getTraceparent());
        return start(conventions.callback(), context, context::ended);
    }

    @Override
    public String traceparent() {
        return traceparent.get();
    }

    private <C extends Observation.Context> Observed start(
            ObservationConvention<C> convention, C context, Consumer<String> ended) {
        try {
            Observation observation = Observation.createNotStarted(convention, () -> context, registry);
            if (observation.isNoop()) return Observed.NOBODY; // Switched off, by management.observations.enable.omega.
            observation.start();
            return opened(observation, ended);
        } catch (RuntimeException failed) {
            warn(failed);
            return Observed.NOBODY;
        }
    }

    private Observed opened(Observation observation, Consumer<String> ended) {
        Observation.@Nullable Scope around = registry.getCurrentObservationScope();
        try {
            return new Observing(observation, observation.openScope(), around, ended);
        } catch (RuntimeException failed) {
            warn(failed);
            end(observation, registry.getCurrentObservationScope(), around); // It may be open in part.
            return Observed.NOBODY;
        }
    }

    /** What was started is stopped, and this thread is back in the scope around it, whatever a handler throws. */
    private void end(Observation observation, Observation.@Nullable Scope scope, Observation.@Nullable Scope around) {
        try {
            try {
                if (scope != null && !scope.equals(around)) scope.close();
            } finally {
                registry.setCurrentObservationScope(around);
                observation.stop();
            }
        } catch (RuntimeException failed) {
            warn(failed);
        }
    }

    private void leave(Observation.Scope scope, Observation.@Nullable Scope around) {
        try {
            if (!scope.equals(around)) scope.close();
        } catch (RuntimeException failed) {
            warn(failed);
        } finally {
            registry.setCurrentObservationScope(around);
        }
    }

    /** Whoever observes must not be what a branch or a compensation fails of. */
    private static void warn(RuntimeException failed) {
        log.warn("A convention or a handler of omega's observations threw; this one is not seen.", failed);
    }

    private final class Observing implements Observed {
        private final Observation observation;
        private final Observation.Scope scope;
        private final Observation.@Nullable Scope around;
        private final Consumer<String> outcome;
        private boolean left;

        Observing(
                Observation observation,
                Observation.Scope scope,
                Observation.@Nullable Scope around,
                Consumer<String> outcome) {
            this.observation = observation;
            this.scope = scope;
            this.around = around;
            this.outcome = outcome;
        }

        @Override
        public void ended(String as) {
            outcome.accept(as);
        }

        @Override
        public void threw(Throwable thrown) {
            try {
                observation.error(thrown);
            } catch (RuntimeException failed) {
                warn(failed);
            }
        }

        @Override
        public void leave() {
            left = true;
            MicrometerObservations.this.leave(scope, around);
        }

        @Override
        public Runnable enter() {
            Observation.@Nullable Scope before = registry.getCurrentObservationScope();
            try {
                Observation.Scope entered = observation.openScope();
                return () -> MicrometerObservations.this.leave(entered, before);
            } catch (RuntimeException failed) {
                warn(failed);
                return () -> registry.setCurrentObservationScope(before);
            }
        }

        @Override
        public Object handedOver() {
            return observation;
        }

        @Override
        public void close() {
            if (left) {
                try {
                    observation.stop();
                } catch (RuntimeException failed) {
                    warn(failed);
                }
            } else {
                end(observation, scope, around);
            }
        }
    }
}
