package io.alphaomega.omega.spring.callback;

import io.alphaomega.omega.fence.Found;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.execution.CallbackInterceptors;
import io.alphaomega.omega.spring.fencing.CallbackFence;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.fencing.UnknowableException;
import io.alphaomega.omega.spring.payload.Envelope;
import io.alphaomega.omega.spring.payload.Payloads;
import io.alphaomega.omega.spring.reporting.Outcomes;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackFailure.Code;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.FenceFinding;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what alpha asks about branches of sagas that it holds, since its store was set back: what the fence has of them.
 * No callback runs.
 */
final class FenceInquiries {
    private static final Logger log = LoggerFactory.getLogger(FenceInquiries.class);

    private final OfferedCallbacks callbacks;
    private final Payloads payloads;
    private final CallbackInterceptors interceptors;
    private final FencedExecution localWork;

    FenceInquiries(
            OfferedCallbacks callbacks,
            Payloads payloads,
            CallbackInterceptors interceptors,
            FencedExecution localWork) {
        this.callbacks = callbacks;
        this.payloads = payloads;
        this.interceptors = interceptors;
        this.localWork = localWork;
    }

    CallbackResult answer(Callback inquiry) {
        CallbackResult.Builder result = CallbackResult.newBuilder()
                .setSaga(inquiry.getSaga())
                .setBranch(inquiry.getBranch())
                .setKind(inquiry.getKind())
                .setAttempt(inquiry.getAttempt());
        OfferedCallbacks.Offered offered = callbacks.find(inquiry.getInquired());
        if (offered == null) {
            return result.setFailure(failure(
                            Code.UNKNOWN_CALLBACK,
                            "this version of the service offers no callback '" + inquiry.getInquired()
                                    + "', by which the fence of the branch would be known"))
                    .build();
        }
        CallbackFence fence = localWork.fenceOf(offered.callback());
        if (fence == null) {
            return result.setFailure(failure(
                            Code.OTHER_FENCE,
                            "the branch was fenced, but this instance has no fence for its callback '"
                                    + inquiry.getInquired() + "'"))
                    .build();
        }
        try {
            return result.setFound(look(inquiry, offered, fence)).build();
        } catch (UnknowableException e) {
            return result.setFailure(failure(Code.FENCE_ROW_MISSING, String.valueOf(e.getMessage())))
                    .build();
        } catch (Payloads.UndecodableException e) {
            return result.setFailure(failure(Code.UNDECODABLE, String.valueOf(e.getMessage())))
                    .build();
        } catch (Throwable thrown) {
            log.warn(
                    "What the fence has of branch {} of saga {} could not be read; alpha asks again.",
                    inquiry.getBranch(),
                    inquiry.getSaga(),
                    thrown);
            return result.setFailure(failure(Code.THREW, Outcomes.sentence(thrown)))
                    .build();
        }
    }

    /** Where its callbacks would look: an interceptor may choose the database. */
    private FenceFinding look(Callback inquiry, OfferedCallbacks.Offered offered, CallbackFence fence)
            throws Throwable {
        Envelope envelope = Envelope.of(inquiry.getArguments().toByteArray());
        @Nullable Object[] arguments = payloads.arguments(offered.callback().argumentTypes(), envelope.arguments());
        Callback named = inquiry.toBuilder().setName(inquiry.getInquired()).build();
        @Nullable Found[] found = new Found[1];
        interceptors.around(
                named,
                arguments,
                envelope.captured(),
                () -> found[0] = fence.look(inquiry.getSaga(), inquiry.getBranch(), inquiry.getFence()));
        Found row = found[0];
        if (row == null) throw new IllegalStateException("an interceptor has returned without proceed()");
        return finding(row, Duration.ofMillis(inquiry.getBegunMillisAgo()), fence.retention());
    }

    private static FenceFinding finding(Found row, Duration age, Duration retention) {
        FenceFinding.Builder finding = FenceFinding.newBuilder();
        if (row.kind() != Found.Kind.NO_ROW) finding.setAtMillis(row.atMillis());
        switch (row.kind()) {
            case NO_ROW -> {
                boolean kept = age.compareTo(retention) < 0;
                finding.setFinding(kept ? FenceFinding.Finding.NO_ROW : FenceFinding.Finding.UNKNOWN);
                if (!kept) {
                    finding.setText("the fence has no row of it, but the branch is " + age
                            + " old, and rows are deleted after omega.fence.retention, " + retention);
                }
            }
            case BEGUN ->
                finding.setFinding(FenceFinding.Finding.UNKNOWN)
                        .setText("its business had begun, and the fence has no row that says how it ended");
            case RAN -> finding.setFinding(FenceFinding.Finding.RAN);
            case NEVER_RAN -> finding.setFinding(FenceFinding.Finding.NEVER_RAN);
            case UNDONE -> finding.setFinding(FenceFinding.Finding.UNDONE);
            case CONFIRMED -> finding.setFinding(FenceFinding.Finding.CONFIRMED);
        }
        return finding.build();
    }

    private static CallbackFailure failure(Code code, String cause) {
        return CallbackFailure.newBuilder()
                .setCode(code)
                .setCause(Outcomes.cut(cause))
                .build();
    }
}
