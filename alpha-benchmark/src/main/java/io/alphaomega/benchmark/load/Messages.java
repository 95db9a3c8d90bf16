package io.alphaomega.benchmark.load;

import com.google.protobuf.ByteString;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.SagaNames;
import io.alphaomega.benchmark.plan.SagaScript;
import io.alphaomega.protocol.v1.AbortSaga;
import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.Carried;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import java.time.Duration;
import java.util.List;
import java.util.Random;

/** What simulated omegas say. */
final class Messages {
    static final String COMPENSATION = "Order.undo";
    static final String CONFIRMATION = "Order.confirm";
    static final List<String> CALLBACKS = List.of(COMPENSATION, CONFIRMATION);

    /** A compensation that fails for ever is asked for so often until alpha suspends its saga. */
    static final int ATTEMPTS = 2;

    private static final Duration RETRY_AFTER = Duration.ofMillis(50);

    private static final EndSaga END = EndSaga.newBuilder().setWait(true).build();
    private static final AbortSaga ABORT =
            AbortSaga.newBuilder().setCause("order refused").build();

    final ByteString payload;
    private final SagaNames names;
    private final BeginSaga begin;
    private final BeginSaga beginKeptOpen;
    private final BeginBranch beginBranch;

    /** @param keptOpen the timeout of sagas that are kept open */
    Messages(LoadPlan plan, SagaNames names, Duration keptOpen) {
        this.names = names;
        byte[] bytes = new byte[plan.shape().payloadBytes()];
        new Random(plan.seed()).nextBytes(bytes);
        payload = ByteString.copyFrom(bytes);
        BeginSaga.Builder saga = BeginSaga.newBuilder().setOperation("Order.place");
        if (plan.shape().failingCompensationRatio() > 0) {
            saga.setPolicy(Policy.newBuilder()
                    .setCallbacks(CallbackPolicy.newBuilder()
                            .setAttempts(ATTEMPTS)
                            .setFirstDelayMillis(RETRY_AFTER.toMillis())));
        }
        begin = saga.build();
        beginKeptOpen = saga.clone()
                .setPolicy(saga.getPolicy().toBuilder().setTimeoutMillis(keptOpen.toMillis()))
                .build();
        BeginBranch.Builder branch = BeginBranch.newBuilder()
                .setOperation("Order.reserve")
                .setCompensation(CallbackOffer.newBuilder().setName(COMPENSATION))
                .setFenced(true)
                .setEndTravels(plan.shape().carried())
                .setArguments(payload);
        if (plan.shape().tcc())
            branch.setConfirmation(CallbackOffer.newBuilder().setName(CONFIRMATION));
        // A branch may think for longer than alpha's default.
        if (!plan.shape().thinkTime().isZero()) {
            branch.setTimeoutMillis(plan.shape().thinkTime().plusMinutes(1).toMillis());
        }
        beginBranch = branch.build();
    }

    /** @param initiator the service that begins the saga */
    Input input(long correlation, SimulatedSaga saga, SagaScript.Step step, String initiator) {
        Input.Builder input = Input.newBuilder().setCorrelation(correlation).setSaga(saga.id);
        switch (step.kind()) {
            case BEGIN -> input.setBegin(saga.role == SimulatedSaga.Role.OPENS ? beginKeptOpen : begin);
            case BEGIN_BRANCH -> input.setBeginBranch(beginBranch.toBuilder().setBranch(branch(saga, step)));
            case END_BRANCH -> input.setEndBranch(EndBranch.newBuilder().setBranch(branch(saga, step)));
            case FAIL_BRANCH ->
                input.setFailBranch(FailBranch.newBuilder()
                        .setBranch(branch(saga, step))
                        .setCause("none left")
                        .setRolledBack(true));
            case END -> input.setEnd(END);
            case ABORT -> input.setAbort(ABORT);
        }
        if (step.carries()) input.setCarried(carried(saga, step, initiator));
        return input.build();
    }

    private Carried.Builder carried(SimulatedSaga saga, SagaScript.Step step, String initiator) {
        Carried.Builder carried = Carried.newBuilder();
        if (step.begins()) carried.setBegin(begin).setService(initiator).setInstance(initiator);
        if (step.ends() >= 0) carried.addEnded(names.branch(saga.ordinal, step.ends()));
        return carried;
    }

    private String branch(SimulatedSaga saga, SagaScript.Step step) {
        return names.branch(saga.ordinal, step.branch());
    }
}
