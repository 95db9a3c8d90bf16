package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.OpenSaga;
import io.alphaomega.omega.SagaBranch;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaOutcome;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaTemplate;
import io.alphaomega.omega.SagaWork;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ParameterizedTypeReference;

/** What is left where omega is switched off: code runs, as annotated methods do, in no saga. */
public final class DisabledSagas implements SagaTemplate {
    @Override
    public <T extends @Nullable Object, X extends Throwable> T execute(SagaSettings settings, SagaWork<T, X> work)
            throws X {
        return work.run(new NoSaga());
    }

    @Override
    public <X extends Throwable> void executeWithoutResult(SagaSettings settings, SagaWork.WithoutResult<X> work)
            throws X {
        work.run(new NoSaga());
    }

    @Override
    public <T extends @Nullable Object, X extends Throwable> T resume(String saga, String key, SagaWork<T, X> work) {
        throw off("nothing goes on in saga " + saga);
    }

    @Override
    public SagaOutcome outcome(String saga) {
        throw off("nobody knows of saga " + saga);
    }

    @Override
    public SagaOutcome outcome(String service, String operation, String businessKey) {
        throw off("nobody knows of the saga of " + operation + " with the key " + businessKey);
    }

    private static SagaException off(String consequence) {
        return new SagaException("Omega is switched off (omega.enabled): " + consequence + ".");
    }

    private static final class NoSaga implements OpenSaga {
        @Override
        public Optional<String> id() {
            return Optional.empty();
        }

        @Override
        public Branch branch(String operation) {
            return new Branch() {
                @Override
                public <A extends @Nullable Object> SagaBranch compensateWith(
                        CompensationHandler<A> handler, A argument) {
                    return new NoBranch();
                }
            };
        }

        @Override
        public void abort(String reason) {
            throw off("there is nothing to abort");
        }

        @Override
        public void end() {
            throw off("there is nothing to end");
        }
    }

    private static final class NoBranch implements SagaBranch {
        @Override
        public SagaBranch timeout(Duration timeout) {
            return this;
        }

        @Override
        public SagaBranch unfenced() {
            return this;
        }

        @Override
        public SagaBranch cleanOnException() {
            return this;
        }

        @Override
        public SagaBranch compensateOnException() {
            return this;
        }

        @Override
        public <T extends @Nullable Object, X extends Throwable> T call(Class<T> result, Call<? extends T, X> work)
                throws X {
            return work.call();
        }

        @Override
        public <T extends @Nullable Object, X extends Throwable> T call(
                ParameterizedTypeReference<T> result, Call<? extends T, X> work) throws X {
            return work.call();
        }

        @Override
        public <X extends Throwable> void run(Run<X> work) throws X {
            work.run();
        }
    }
}
