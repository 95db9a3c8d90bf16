package io.alphaomega.omega.spring.callback;

import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.fence.Compensation;
import io.alphaomega.omega.fence.Confirmation;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.execution.CallbackInterceptors;
import io.alphaomega.omega.spring.execution.Futures;
import io.alphaomega.omega.spring.execution.Publishers;
import io.alphaomega.omega.spring.fencing.CallbackFence;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.UnknowableException;
import io.alphaomega.omega.spring.method.Coroutines;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.method.ReturnedPublishers;
import io.alphaomega.omega.spring.observe.Observations;
import io.alphaomega.omega.spring.observe.OmegaMetrics;
import io.alphaomega.omega.spring.payload.Envelope;
import io.alphaomega.omega.spring.payload.Payloads;
import io.alphaomega.omega.spring.reporting.Outcomes;
import io.alphaomega.omega.stream.CallbackHandler;
import io.alphaomega.omega.stream.CallbackLog;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackFailure.Code;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.util.ReflectionUtils;

/** Runs the compensations and confirmations that alpha asks for. */
public final class CallbackRunner implements CallbackHandler {
    private static final Logger log = LoggerFactory.getLogger(CallbackRunner.class);

    private final OfferedCallbacks callbacks;
    private final BeanFactory beans;
    private final Payloads payloads;
    private final CallbackInterceptors interceptors;
    private final FencedExecution localWork;
    private final OmegaMetrics tally;
    private final Observations observations;
    private final FenceInquiries inquiries;

    public CallbackRunner(
            OfferedCallbacks callbacks,
            BeanFactory beans,
            Payloads payloads,
            CallbackInterceptors interceptors,
            FencedExecution localWork,
            OmegaMetrics tally,
            Observations observations) {
        this.callbacks = callbacks;
        this.beans = beans;
        this.payloads = payloads;
        this.interceptors = interceptors;
        this.localWork = localWork;
        this.tally = tally;
        this.observations = observations;
        this.inquiries = new FenceInquiries(callbacks, payloads, interceptors, localWork);
    }

    @Override
    public CallbackResult handle(Callback callback) {
        SagaContext.Scope scope = SagaContext.ofCallback(
                        callback.getSaga(), callback.getBranch(), callback.getTraceparent())
                .open();
        try {
            return callback.getKind() == CallbackKind.INQUIRY ? inquiries.answer(callback) : callBack(callback);
        } finally {
            scope.close();
        }
    }

    private CallbackResult callBack(Callback callback) {
        try (Observations.Observed observed = observations.callback(callback)) {
            CallbackFailure failure = run(callback, observed);
            String outcome = failure == null ? "SUCCEEDED" : failure.getCode().name();
            tally.callback(callback.getKind(), outcome);
            observed.ended(outcome);
            CallbackResult.Builder result = CallbackResult.newBuilder()
                    .setSaga(callback.getSaga())
                    .setBranch(callback.getBranch())
                    .setKind(callback.getKind())
                    .setAttempt(callback.getAttempt());
            if (failure != null) result.setFailure(failure);
            return result.build();
        }
    }

    private @Nullable CallbackFailure run(Callback callback, Observations.Observed observed) {
        OfferedCallbacks.Offered offered = callbacks.find(callback.getName());
        if (offered == null) {
            log.warn(
                    "Alpha asks for the callback '{}' of {}, which this instance does not offer; it tries again, with"
                            + " any instance of the service. Either it was renamed (say its old name in aliases), or this"
                            + " instance has another version of the service than the branch, or another application"
                            + " has the same spring.application.name.",
                    callback.getName(),
                    CallbackLog.branch(callback));
            return failure(
                    Code.UNKNOWN_CALLBACK,
                    "this version of the service offers no callback '" + callback.getName() + "', it offers "
                            + callbacks.names());
        }
        try {
            Envelope envelope = Envelope.of(callback.getArguments().toByteArray());
            @Nullable Object[] arguments = payloads.arguments(offered.callback().argumentTypes(), envelope.arguments());
            CallbackFence.CallbackWork work = stored -> invoke(offered, arguments, resultOf(callback, stored));
            @Nullable CallbackFailure[] failure = new CallbackFailure[1];
            interceptors.around(callback, arguments, envelope.captured(), () -> {
                if (callback.getFenced()) failure[0] = runFenced(callback, localWork.fenceOf(offered.callback()), work);
                else settle(offered, work.run(null));
                if (failure[0] == null) follow(callback, envelope);
            });
            return failure[0];
        } catch (UnknowableException e) {
            observed.threw(e);
            Code code = callback.getKind() == CallbackKind.CONFIRMATION ? Code.FORWARD_MISSING : Code.FENCE_ROW_MISSING;
            return failure(code, String.valueOf(e.getMessage()));
        } catch (Payloads.UndecodableException e) {
            observed.threw(e);
            log.error("{} cannot be read:", CallbackLog.describe(callback), e);
            return failure(Code.UNDECODABLE, String.valueOf(e.getMessage()));
        } catch (Throwable thrown) {
            observed.threw(thrown);
            CallbackLog.threw(log, callback, thrown);
            String sentence = thrown instanceof SequelException ? thrown.getMessage() : Outcomes.sentence(thrown);
            return failure(Code.THREW, String.valueOf(sentence));
        }
    }

    private @Nullable CallbackFailure runFenced(
            Callback callback, @Nullable CallbackFence fence, CallbackFence.CallbackWork work) throws Throwable {
        if (fence == null) {
            return failure(
                    Code.OTHER_FENCE,
                    "the branch was fenced, but this instance has no fence for its callback: no single DataSource (or, for"
                            + " a Mono, no single R2DBC transaction manager; or the one that it names is gone), or"
                            + " omega.fence.enabled is false");
        }
        if (callback.getKind() == CallbackKind.CONFIRMATION) {
            Confirmation said = fence.confirm(callback.getSaga(), callback.getBranch(), callback.getFence(), work);
            return said == Confirmation.FORWARD_MISSING
                    ? failure(Code.FORWARD_MISSING, "the fence has no row of the forward call")
                    : null;
        }
        Duration age = Duration.ofMillis(callback.getBegunMillisAgo());
        Compensation said = fence.compensate(
                callback.getSaga(), callback.getBranch(), callback.getFence(), callback.getForwardEnded(), age, work);
        if (said != Compensation.FENCE_ROW_MISSING) return null;
        return failure(
                Code.FENCE_ROW_MISSING,
                callback.getForwardEnded()
                        ? "alpha has seen the forward call end, the fence has no row of it"
                        : "the fence has no row of the forward call, but the branch is " + age + " old, and rows are"
                                + " deleted after omega.fence.retention: nobody knows whether there is something to undo");
    }

    /** What the callback is followed by, once it has taken effect: alpha asks again for both, and what is done is done. */
    private void follow(Callback callback, Envelope envelope) throws Throwable {
        OfferedCallbacks.Offered sequel = callbacks.sequel(callback.getName());
        if (sequel == null) return;
        CallbackFence.CallbackWork work = stored -> {
            @Nullable Object[] arguments = payloads.arguments(sequel.callback().argumentTypes(), envelope.arguments());
            return invoke(sequel, arguments, resultOf(callback, stored));
        };
        CallbackFence itsFence = callback.getFenced() ? localWork.fenceOf(sequel.callback()) : null;
        try {
            if (itsFence != null) {
                itsFence.follow(callback.getSaga(), callback.getBranch(), callback.getFence(), work);
            } else {
                settle(sequel, work.run(null));
            }
        } catch (UnknowableException | Payloads.UndecodableException e) {
            throw e;
        } catch (Throwable thrown) {
            throw new SequelException(sequel.callback(), thrown);
        }
    }

    /** Thrown rather than answered: whatever an interceptor has opened around both must not be committed. */
    private static final class SequelException extends Exception {
        SequelException(CallbackMethod sequel, Throwable thrown) {
            super(
                    "it is done, but %s, which follows it, failed: %s"
                            .formatted(sequel.describe(), Outcomes.sentence(thrown)),
                    thrown);
        }
    }

    private static byte[] resultOf(Callback callback, byte @Nullable [] stored) {
        return stored == null ? callback.getResult().toByteArray() : stored;
    }

    private @Nullable Object invoke(OfferedCallbacks.Offered offered, @Nullable Object[] arguments, byte[] result)
            throws Throwable {
        CallbackMethod callback = offered.callback();
        @Nullable Object[] values = arguments;
        if (callback.takesResult()) {
            values = Arrays.copyOf(arguments, arguments.length + 1);
            values[arguments.length] = payloads.result(callback.resultType(), result);
        }
        Object bean = beans.getBean(offered.bean());
        Method method = AopUtils.selectInvocableMethod(callback.method(), bean.getClass());
        ReflectionUtils.makeAccessible(method);
        try {
            return KotlinFunctions.isSuspend(method)
                    ? Coroutines.call(method, bean, values)
                    : method.invoke(bean, values);
        } catch (InvocationTargetException e) {
            throw e.getCause() == null ? e : e.getCause();
        }
    }

    /** Waits for what the method has returned. */
    private static void settle(OfferedCallbacks.Offered offered, @Nullable Object work) throws Throwable {
        switch (ReturnKind.of(offered.callback().method())) {
            case NOW -> {}
            case FUTURE -> Futures.join(work);
            case MONO, FLUX -> Publishers.block(ReturnedPublishers.require(work));
        }
    }

    private static CallbackFailure failure(Code code, String cause) {
        return CallbackFailure.newBuilder()
                .setCode(code)
                .setCause(Outcomes.cut(cause))
                .build();
    }
}
