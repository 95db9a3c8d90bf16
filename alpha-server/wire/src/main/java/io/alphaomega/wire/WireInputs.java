package io.alphaomega.wire;

import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNested;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.BeginOnce;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackResult;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.saga.BranchCall;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Evidence;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Limits;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Payload;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/**
 * What omegas say, as inputs of a saga. What cannot be an input is an {@link IllegalArgumentException} whose message is
 * a sentence for the sender.
 */
public final class WireInputs {
    private static final int VERSION_CHARS = 40;

    private WireInputs() {}

    /**
     * What {@code input} says in the name of the service that said {@code hello}.
     *
     * @param defaults what a duration of 0, or an absent policy, stands for
     */
    public static SagaInput fromOmega(Hello hello, Input input, Policy defaults) {
        Carried carried = input.getCarried();
        if (carried.hasBegin()
                && (carried.getService().isEmpty() || carried.getInstance().isEmpty())) {
            throw new IllegalArgumentException(
                    "a begin that is carried must say which service and instance began the saga, but says service '%s' and instance '%s'"
                            .formatted(carried.getService(), carried.getInstance()));
        }
        return reported(sender(hello), input, defaults);
    }

    /**
     * Who says something.
     *
     * @param build of the instance; empty if an older alpha has passed it on
     */
    public record Sender(String service, String instance, String build) {}

    private static Sender sender(Hello hello) {
        return new Sender(hello.getService(), hello.getInstance(), build(hello));
    }

    /** Of the instance: what it says, or else what is known of its omega and what it can run. */
    public static String build(Hello hello) {
        if (!hello.getBuild().isEmpty()) return hello.getBuild();
        int callbacks = new TreeSet<>(hello.getCallbacksList()).toString().hashCode();
        return "omega-%s-%08x".formatted(cut(hello.getVersion()), callbacks);
    }

    /** A build has at most {@link Limits#ID_CHARS} characters. */
    private static String cut(String version) {
        return version.length() <= VERSION_CHARS ? version : version.substring(0, VERSION_CHARS);
    }

    /** What {@code input} says in the name of that instance of the service. */
    public static SagaInput reported(Sender sender, Input input, Policy defaults) {
        SagaInput itself = itself(sender, input, defaults);
        if (!input.hasCarried()) return itself;
        Carried carried = input.getCarried();
        Optional<SagaInput.Begin> begin = carried.hasBegin()
                ? Optional.of(begin(carried.getService(), carried.getInstance(), carried.getBegin(), defaults))
                : Optional.empty();
        List<BranchId> ended =
                carried.getEndedList().stream().map(BranchId::new).toList();
        return new SagaInput.Carrying(begin, ended, itself);
    }

    private static SagaInput itself(Sender sender, Input input, Policy defaults) {
        String service = sender.service();
        String instance = sender.instance();
        return switch (input.getKindCase()) {
            case BEGIN -> begin(service, instance, input.getBegin(), defaults);
            case BEGIN_ONCE -> beginOnce(service, instance, input.getBeginOnce(), defaults);
            case END -> new SagaInput.End(input.getEnd().getWait());
            case ABORT -> new SagaInput.Abort(input.getAbort().getCause());
            case ASK_OUTCOME -> new SagaInput.AskOutcome();
            case BEGIN_NESTED -> beginNested(service, instance, input.getBeginNested(), defaults);
            case BEGIN_BRANCH -> beginBranch(sender, input.getBeginBranch(), defaults, Optional.empty());
            case BEGIN_NESTED_BRANCH -> {
                BeginNestedBranch begin = input.getBeginNestedBranch();
                yield beginBranch(sender, begin.getBranch(), defaults, Optional.of(new SagaId(begin.getSaga())));
            }
            case END_BRANCH -> {
                EndBranch end = input.getEndBranch();
                yield new SagaInput.EndBranch(
                        new BranchId(end.getBranch()),
                        new Payload(end.getResult().toByteArray()),
                        service);
            }
            case FAIL_BRANCH -> {
                FailBranch fail = input.getFailBranch();
                yield new SagaInput.FailBranch(
                        new BranchId(fail.getBranch()), fail.getCause(), fail.getRolledBack(), service);
            }
            case KIND_NOT_SET ->
                throw new IllegalArgumentException(
                        "the input is of no kind that this alpha knows; if the omega is newer, upgrade alpha first");
        };
    }

    private static SagaInput.Begin begin(String service, String instance, BeginSaga begin, Policy defaults) {
        return new SagaInput.Begin(
                initiator(service, instance, begin, "", Optional.empty()),
                WireTerms.policy(begin.getPolicy(), defaults));
    }

    private static SagaInput beginOnce(String service, String instance, BeginOnce once, Policy defaults) {
        BeginSaga begin = once.getBegin();
        return new SagaInput.BeginOnce(
                initiator(service, instance, begin, once.getStart(), Optional.empty()),
                WireTerms.policy(begin.getPolicy(), defaults));
    }

    private static SagaInput beginNested(String service, String instance, BeginNested nested, Policy defaults) {
        BeginSaga begin = nested.getBegin();
        Parent parent = new Parent(new SagaId(nested.getParentSaga()), new BranchId(nested.getParentBranch()));
        return new SagaInput.BeginNested(
                initiator(service, instance, begin, "", Optional.of(parent)),
                WireTerms.policy(begin.getPolicy(), defaults));
    }

    private static Initiator initiator(
            String service, String instance, BeginSaga begin, String start, Optional<Parent> parent) {
        return new Initiator(
                service,
                instance,
                begin.getOperation(),
                begin.getBusinessKey(),
                begin.getAttributesMap(),
                start,
                parent);
    }

    private static SagaInput beginBranch(Sender sender, BeginBranch begin, Policy defaults, Optional<SagaId> nested) {
        return new SagaInput.BeginBranch(
                new BranchCall(
                        new BranchId(begin.getBranch()),
                        begin.getParent().isEmpty() ? Optional.empty() : Optional.of(new BranchId(begin.getParent())),
                        sender.service(),
                        sender.instance(),
                        sender.build(),
                        begin.getOperation(),
                        begin.hasCompensation()
                                ? Optional.of(WireTerms.offer(begin.getCompensation(), defaults))
                                : Optional.empty(),
                        begin.hasConfirmation()
                                ? Optional.of(WireTerms.offer(begin.getConfirmation(), defaults))
                                : Optional.empty(),
                        begin.getFenced(),
                        begin.getFence(),
                        begin.getEndTravels(),
                        new Payload(begin.getArguments().toByteArray()),
                        begin.getTraceparent(),
                        nested),
                WireTerms.duration(begin.getTimeoutMillis()));
    }

    /** What an instance of the service that said {@code hello} says about a callback it was asked to run. */
    public static SagaInput fromResult(Hello hello, CallbackResult result) {
        BranchId branch = new BranchId(result.getBranch());
        if (isOfInquiry(result)) return new SagaInput.AnswerFence(branch, evidence(result), hello.getService());
        CallbackKind kind = WireTerms.kind(result.getKind());
        int attempt = result.getAttempt();
        String service = hello.getService();
        if (!result.hasFailure()) return new SagaInput.SucceedCallback(branch, kind, attempt, service);
        if (result.getFailure().getCode() == CallbackFailure.Code.BUSY) {
            return new SagaInput.DeferCallback(branch, kind, attempt, service);
        }
        CallbackFailure.Code said = result.getFailure().getCode();
        return new SagaInput.FailCallback(
                branch,
                kind,
                attempt,
                code(said),
                result.getFailure().getCause(),
                service,
                isOfBuild(said) ? build(hello) : "");
    }

    /** Whether it says nothing, and the same may be asked again: of what a fence has of a branch. */
    public static boolean isNoAnswer(CallbackResult result) {
        if (!isOfInquiry(result) || !result.hasFailure()) return false;
        return !isOfBuild(result.getFailure().getCode());
    }

    private static boolean isOfInquiry(CallbackResult result) {
        return result.getKind() == io.alphaomega.protocol.v1.CallbackKind.INQUIRY;
    }

    private static Evidence evidence(CallbackResult result) {
        return result.hasFailure()
                ? new Evidence(
                        Evidence.Finding.UNKNOWN,
                        Optional.empty(),
                        result.getFailure().getCause())
                : WireTerms.evidence(result.getFound());
    }

    private static FailureCode code(CallbackFailure.Code said) {
        return switch (said) {
            // A code that only newer omegas know is retried like any other failure: that can do no harm.
            case THREW, OTHER_FENCE, CODE_UNSPECIFIED, UNRECOGNIZED -> FailureCode.THREW;
            case BUSY -> FailureCode.BUSY;
            case UNKNOWN_CALLBACK -> FailureCode.UNKNOWN_CALLBACK;
            case UNDECODABLE -> FailureCode.UNDECODABLE;
            case FORWARD_MISSING -> FailureCode.FORWARD_MISSING;
            case FENCE_ROW_MISSING -> FailureCode.FENCE_ROW_MISSING;
        };
    }

    /** Whether no other instance of its build could do better. */
    private static boolean isOfBuild(CallbackFailure.Code said) {
        return switch (said) {
            case UNKNOWN_CALLBACK, UNDECODABLE, FORWARD_MISSING, FENCE_ROW_MISSING, OTHER_FENCE -> true;
            case THREW, BUSY, CODE_UNSPECIFIED, UNRECOGNIZED -> false;
        };
    }
}
