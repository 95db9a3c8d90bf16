package io.alphaomega.server.wire;

import com.google.protobuf.UnsafeByteOperations;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.AskOutcome;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginNested;
import io.alphaomega.protocol.v1.BeginNestedBranch;
import io.alphaomega.protocol.v1.BeginOnce;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.Initiator;
import io.alphaomega.saga.Operator;
import io.alphaomega.saga.Parent;
import io.alphaomega.saga.Policy;
import io.alphaomega.saga.Refusal;
import io.alphaomega.saga.Reply;
import io.alphaomega.saga.Restoration;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.wire.v1.Remoting;
import io.alphaomega.wire.WireAnswers;
import io.alphaomega.wire.WireInputs;
import io.alphaomega.wire.WireTerms;
import java.time.Instant;
import java.util.Set;
import java.util.TreeSet;

/**
 * What one alpha node tells another: inputs on their way to a saga's owner, and its replies. What a newer node says and
 * this one does not know is an {@link IllegalArgumentException}, never a guess.
 */
public final class NodeMessages {
    private NodeMessages() {}

    // ---- inputs

    public static Remoting.Input toNode(SagaInput input) {
        Remoting.Input.Builder node = Remoting.Input.newBuilder();
        switch (input) {
            case SagaInput.Begin begin ->
                node.setReported(reported(
                        begin.initiator().service(),
                        begin.initiator().instance(),
                        Input.newBuilder().setBegin(begin(begin.initiator(), begin.policy()))));
            case SagaInput.BeginOnce once -> {
                BeginOnce.Builder begin = BeginOnce.newBuilder()
                        .setBegin(begin(once.initiator(), once.policy()))
                        .setStart(once.initiator().start());
                node.setReported(reported(
                        once.initiator().service(),
                        once.initiator().instance(),
                        Input.newBuilder().setBeginOnce(begin)));
            }
            case SagaInput.BeginNested nested -> {
                Parent parent = nested.initiator().parent().orElseThrow();
                BeginNested.Builder begin = BeginNested.newBuilder()
                        .setBegin(begin(nested.initiator(), nested.policy()))
                        .setParentSaga(parent.saga().value())
                        .setParentBranch(parent.branch().value());
                node.setReported(reported(
                        nested.initiator().service(),
                        nested.initiator().instance(),
                        Input.newBuilder().setBeginNested(begin)));
            }
            case SagaInput.Decide decide ->
                node.setDecide(Remoting.Decide.newBuilder()
                        .setSaga(decide.parent().saga().value())
                        .setBranch(decide.parent().branch().value())
                        .setService(decide.service())
                        .setInstance(decide.instance())
                        .setOperation(decide.operation())
                        .setOutcome(NodeTerms.decided(decide.outcome())));
            case SagaInput.End end ->
                node.setReported(
                        reported(Input.newBuilder().setEnd(EndSaga.newBuilder().setWait(end.awaitDecision()))));
            case SagaInput.Abort abort ->
                node.setReported(reported(
                        Input.newBuilder().setAbort(AbortSaga.newBuilder().setCause(abort.cause()))));
            case SagaInput.AskOutcome() ->
                node.setReported(reported(Input.newBuilder().setAskOutcome(AskOutcome.getDefaultInstance())));
            case SagaInput.BeginBranch begin -> {
                Input.Builder wire = begin.nested()
                        .map(saga -> Input.newBuilder()
                                .setBeginNestedBranch(BeginNestedBranch.newBuilder()
                                        .setBranch(beginBranch(begin))
                                        .setSaga(saga.value())))
                        .orElseGet(() -> Input.newBuilder().setBeginBranch(beginBranch(begin)));
                node.setReported(
                        reported(begin.service(), begin.instance(), wire).setBuild(begin.build()));
            }
            case SagaInput.Carrying carrying -> {
                // Whatever may carry reports is one.
                Remoting.Reported.Builder reported = toNode(carrying.input()).getReported().toBuilder();
                reported.getInputBuilder().setCarried(carried(carrying));
                node.setReported(reported);
            }
            case SagaInput.EndBranch end ->
                node.setReported(reported(end.service(), "", Input.newBuilder().setEndBranch(endBranch(end))));
            case SagaInput.FailBranch fail ->
                node.setReported(reported(fail.service(), "", Input.newBuilder().setFailBranch(failBranch(fail))));
            case SagaInput.SucceedCallback succeed ->
                node.setCallbackSucceeded(attempt(succeed.branch(), succeed.kind(), succeed.attempt())
                        .setService(succeed.service()));
            case SagaInput.FailCallback fail ->
                node.setCallbackFailed(Remoting.CallbackFailed.newBuilder()
                        .setAttempt(attempt(fail.branch(), fail.kind(), fail.attempt())
                                .setService(fail.service()))
                        .setCode(NodeTerms.code(fail.code()))
                        .setError(fail.error())
                        .setBuild(fail.build()));
            case SagaInput.LoseCallback lose ->
                node.setCallbackLost(attempt(lose.branch(), lose.kind(), lose.attempt()));
            case SagaInput.DeferCallback busy ->
                node.setCallbackDeferred(
                        attempt(busy.branch(), busy.kind(), busy.attempt()).setService(busy.service()));
            case SagaInput.MissParticipant miss ->
                node.setParticipantMissed(attempt(miss.branch(), miss.kind(), miss.attempt()));
            case SagaInput.MissBuild miss ->
                node.setParticipantMissed(
                        attempt(miss.branch(), miss.kind(), miss.attempt()).setUnable(true));
            case SagaInput.ConnectService connect ->
                node.setServiceConnected(connect.service()).addAllBuilds(new TreeSet<>(connect.builds()));
            case SagaInput.Hold(Restoration restoration) ->
                node.setHold(Remoting.Hold.newBuilder()
                        .setFoundAtMillis(restoration.foundAt().toEpochMilli())
                        .setBegunBeforeMillis(restoration.begunBefore().toEpochMilli())
                        .setWhy(restoration.why()));
            case SagaInput.AnswerFence answer ->
                node.setFenceAnswer(Remoting.FenceAnswer.newBuilder()
                        .setBranch(answer.branch().value())
                        .setService(answer.service())
                        .setFound(WireTerms.evidence(answer.evidence())));
            case SagaInput.Tick() -> node.setTick(Remoting.Tick.getDefaultInstance());
            case SagaInput.Retry retry ->
                node.setIntervention(by(retry.operator(), retry.sequence())
                        .setRetry(Remoting.Intervention.Retry.getDefaultInstance()));
            case SagaInput.Skip skip ->
                node.setIntervention(by(skip.operator(), skip.sequence())
                        .setSkip(skip.branch().value()));
            case SagaInput.Resolve resolve ->
                node.setIntervention(
                        by(resolve.operator(), resolve.sequence()).setResolve(NodeTerms.outcome(resolve.outcome())));
            case SagaInput.AbortByOperator abort ->
                node.setIntervention(by(abort.operator(), abort.sequence())
                        .setAbort(Remoting.Intervention.AbortSaga.getDefaultInstance()));
        }
        return node.build();
    }

    public static SagaInput fromNode(Remoting.Input node) {
        return switch (node.getKindCase()) {
            case REPORTED -> {
                Remoting.Reported reported = node.getReported();
                // The node that read the omega's message has filled in its defaults: none are left to fill in.
                yield WireInputs.reported(
                        new WireInputs.Sender(reported.getService(), reported.getInstance(), reported.getBuild()),
                        reported.getInput(),
                        Policy.DEFAULT);
            }
            case CALLBACK_SUCCEEDED -> {
                Remoting.CallbackAttempt of = node.getCallbackSucceeded();
                yield new SagaInput.SucceedCallback(
                        branch(of), WireTerms.kind(of.getKind()), of.getAttempt(), of.getService());
            }
            case CALLBACK_FAILED -> {
                Remoting.CallbackFailed failed = node.getCallbackFailed();
                Remoting.CallbackAttempt of = failed.getAttempt();
                yield new SagaInput.FailCallback(
                        branch(of),
                        WireTerms.kind(of.getKind()),
                        of.getAttempt(),
                        NodeTerms.code(failed.getCode()),
                        failed.getError(),
                        of.getService(),
                        failed.getBuild());
            }
            case CALLBACK_LOST -> {
                Remoting.CallbackAttempt of = node.getCallbackLost();
                yield new SagaInput.LoseCallback(branch(of), WireTerms.kind(of.getKind()), of.getAttempt());
            }
            case CALLBACK_DEFERRED -> {
                Remoting.CallbackAttempt of = node.getCallbackDeferred();
                yield new SagaInput.DeferCallback(
                        branch(of), WireTerms.kind(of.getKind()), of.getAttempt(), of.getService());
            }
            case PARTICIPANT_MISSED -> {
                Remoting.CallbackAttempt of = node.getParticipantMissed();
                yield of.getUnable()
                        ? new SagaInput.MissBuild(branch(of), WireTerms.kind(of.getKind()), of.getAttempt())
                        : new SagaInput.MissParticipant(branch(of), WireTerms.kind(of.getKind()), of.getAttempt());
            }
            case SERVICE_CONNECTED ->
                new SagaInput.ConnectService(node.getServiceConnected(), Set.copyOf(node.getBuildsList()));
            case TICK -> new SagaInput.Tick();
            case DECIDE -> {
                Remoting.Decide decide = node.getDecide();
                yield new SagaInput.Decide(
                        new Parent(new SagaId(decide.getSaga()), new BranchId(decide.getBranch())),
                        decide.getService(),
                        decide.getInstance(),
                        decide.getOperation(),
                        NodeTerms.decided(decide.getOutcome()));
            }
            case HOLD ->
                new SagaInput.Hold(new Restoration(
                        Instant.ofEpochMilli(node.getHold().getFoundAtMillis()),
                        Instant.ofEpochMilli(node.getHold().getBegunBeforeMillis()),
                        node.getHold().getWhy()));
            case FENCE_ANSWER ->
                new SagaInput.AnswerFence(
                        new BranchId(node.getFenceAnswer().getBranch()),
                        WireTerms.evidence(node.getFenceAnswer().getFound()),
                        node.getFenceAnswer().getService());
            case INTERVENTION -> intervention(node.getIntervention());
            case KIND_NOT_SET -> throw WireTerms.unknown("kind of input", "none that is known here");
        };
    }

    private static Remoting.Reported.Builder reported(Input.Builder input) {
        return reported("", "", input);
    }

    private static Remoting.Reported.Builder reported(String service, String instance, Input.Builder input) {
        return Remoting.Reported.newBuilder()
                .setService(service)
                .setInstance(instance)
                .setInput(input);
    }

    private static BeginSaga.Builder begin(Initiator initiator, Policy policy) {
        return BeginSaga.newBuilder()
                .setOperation(initiator.operation())
                .setPolicy(WireTerms.policy(policy))
                .setBusinessKey(initiator.businessKey())
                .putAllAttributes(initiator.attributes());
    }

    private static Carried.Builder carried(SagaInput.Carrying carrying) {
        Carried.Builder wire = Carried.newBuilder();
        carrying.begin()
                .ifPresent(begin -> wire.setBegin(begin(begin.initiator(), begin.policy()))
                        .setService(begin.initiator().service())
                        .setInstance(begin.initiator().instance()));
        carrying.ended().forEach(ended -> wire.addEnded(ended.value()));
        return wire;
    }

    private static BeginBranch.Builder beginBranch(SagaInput.BeginBranch begin) {
        BeginBranch.Builder wire = BeginBranch.newBuilder()
                .setBranch(begin.branch().value())
                .setOperation(begin.operation())
                .setFenced(begin.fenced())
                .setFence(begin.fence())
                .setEndTravels(begin.endTravels())
                .setArguments(UnsafeByteOperations.unsafeWrap(begin.arguments().bytes()))
                .setTraceparent(begin.traceparent());
        begin.parent().ifPresent(parent -> wire.setParent(parent.value()));
        begin.compensation().ifPresent(offer -> wire.setCompensation(WireTerms.offer(offer)));
        begin.confirmation().ifPresent(offer -> wire.setConfirmation(WireTerms.offer(offer)));
        begin.timeout().ifPresent(timeout -> wire.setTimeoutMillis(timeout.toMillis()));
        return wire;
    }

    private static EndBranch.Builder endBranch(SagaInput.EndBranch end) {
        return EndBranch.newBuilder()
                .setBranch(end.branch().value())
                .setResult(UnsafeByteOperations.unsafeWrap(end.result().bytes()));
    }

    private static FailBranch.Builder failBranch(SagaInput.FailBranch fail) {
        return FailBranch.newBuilder()
                .setBranch(fail.branch().value())
                .setCause(fail.cause())
                .setRolledBack(fail.rolledBack());
    }

    private static Remoting.CallbackAttempt.Builder attempt(BranchId branch, CallbackKind kind, int attempt) {
        return Remoting.CallbackAttempt.newBuilder()
                .setBranch(branch.value())
                .setKind(WireTerms.kind(kind))
                .setAttempt(attempt);
    }

    private static BranchId branch(Remoting.CallbackAttempt attempt) {
        return new BranchId(attempt.getBranch());
    }

    private static Remoting.Intervention.Builder by(Operator operator, long sequence) {
        return Remoting.Intervention.newBuilder()
                .setWho(operator.who())
                .setWhy(operator.why())
                .setSequence(sequence);
    }

    private static SagaInput intervention(Remoting.Intervention node) {
        Operator operator = new Operator(node.getWho(), node.getWhy());
        return switch (node.getKindCase()) {
            case RETRY -> new SagaInput.Retry(operator, node.getSequence());
            case SKIP -> new SagaInput.Skip(operator, node.getSequence(), new BranchId(node.getSkip()));
            case RESOLVE -> new SagaInput.Resolve(operator, node.getSequence(), NodeTerms.outcome(node.getResolve()));
            case ABORT -> new SagaInput.AbortByOperator(operator, node.getSequence());
            case KIND_NOT_SET -> throw WireTerms.unknown("kind of intervention", "none that is known here");
        };
    }

    // ---- replies

    public static Remoting.Reply toNode(Reply reply) {
        Remoting.Reply.Builder node = Remoting.Reply.newBuilder().setAck(WireAnswers.toAck(0, reply));
        if (reply instanceof Reply.Aborted aborted) {
            node.setAbortedAtMillis(aborted.abort().at().toEpochMilli());
        }
        return node.build();
    }

    public static Reply fromNode(Remoting.Reply node) {
        Ack ack = node.getAck();
        return switch (ack.getOutcomeCase()) {
            case ACCEPTED -> new Reply.Accepted();
            case COMMITTED -> new Reply.Committed();
            case PENDING -> new Reply.Pending();
            case ABORTED ->
                new Reply.Aborted(WireTerms.abort(ack.getAborted(), Instant.ofEpochMilli(node.getAbortedAtMillis())));
            case REJECTED ->
                new Reply.Rejected(
                        refusal(ack.getRejected().getReason()),
                        ack.getRejected().getText());
            case UNAVAILABLE -> new Reply.NotNow(ack.getUnavailable().getText());
            case OUTCOME_NOT_SET -> throw WireTerms.unknown("reply", "none that is known here");
        };
    }

    private static Refusal refusal(String name) {
        for (Refusal refusal : Refusal.values()) {
            if (refusal.name().equals(name)) return refusal;
        }
        throw WireTerms.unknown("refusal", name);
    }
}
