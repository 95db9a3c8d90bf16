package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.SagaChoices;
import io.alphaomega.benchmark.plan.SagaNames;
import io.alphaomega.benchmark.plan.SagaScript;
import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackFailure;
import io.alphaomega.protocol.v1.CallbackKind;
import io.alphaomega.protocol.v1.CallbackResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What all lanes of a run go by, and which of them a saga belongs to. */
final class LoadAssignment {
    private final LoadPlan plan;
    private final SagaNames names;
    private final SagaChoices choices;
    private final Messages messages;
    private final SagaScript committing;
    private final SagaScript aborting;
    private final SagaScript opening;
    private final int keptBranches;
    private final String run;
    private final int laneCount;
    private final List<LoadLane> lanes = new ArrayList<>();

    /**
     * @param kept what becomes of sagas that are kept open
     * @param run tells this run's instances from others'
     */
    LoadAssignment(LoadPlan plan, SagaNames names, Kept kept, String run, int laneCount) {
        this.plan = plan;
        this.names = names;
        this.choices = new SagaChoices(plan.shape(), plan.seed());
        this.messages = new Messages(plan, names, kept.timeout());
        this.keptBranches = kept.branches();
        this.opening = SagaScript.opening(kept.branches());
        this.committing = SagaScript.committing(plan.shape());
        this.aborting = SagaScript.aborting(plan.shape());
        this.run = run;
        this.laneCount = laneCount;
    }

    /**
     * Sagas that are kept open.
     *
     * @param branches that each has, ended
     */
    record Kept(Duration timeout, int branches) {}

    void add(LoadLane lane) {
        lanes.add(lane);
    }

    List<LoadLane> lanes() {
        return lanes;
    }

    LoadPlan plan() {
        return plan;
    }

    SagaNames names() {
        return names;
    }

    Messages messages() {
        return messages;
    }

    SagaScript committing() {
        return committing;
    }

    SagaScript opening() {
        return opening;
    }

    SagaScript aborting() {
        return aborting;
    }

    int laneCount() {
        return laneCount;
    }

    LoadLane laneOf(long ordinal) {
        return lanes.get((int) (ordinal % laneCount));
    }

    /** Those that are kept open come first, and commit. */
    boolean isKept(long ordinal) {
        return ordinal / laneCount < kept((int) (ordinal % laneCount));
    }

    /** How many of those that are kept open the lane has. */
    long kept(int lane) {
        int all = plan.amount().keptOpen();
        return all / laneCount + (lane < all % laneCount ? 1L : 0L);
    }

    boolean aborts(long ordinal) {
        return !isKept(ordinal) && choices.aborts(ordinal);
    }

    boolean compensationFails(long ordinal) {
        return !isKept(ordinal) && choices.compensationFails(ordinal);
    }

    /** Whether a branch of that saga ends, if the saga goes as planned. */
    boolean branchEnds(long ordinal, int branch) {
        if (isKept(ordinal)) return branch < keptBranches;
        return branch < plan.shape().branches() - (aborts(ordinal) ? 1 : 0);
    }

    // ---- services

    String serviceName(int service) {
        return "benchmark-" + service;
    }

    String instance(int service, int connection) {
        return "%s-%d-%d".formatted(run, service, connection);
    }

    /** After so many sagas, each service has begun one in each lane. */
    int spread() {
        return laneCount * plan.wiring().services();
    }

    /** Who says a step: sagas are begun by each service in turn, and their branches go round from there. */
    int serviceOf(long ordinal, SagaScript.Step step) {
        int services = plan.wiring().services();
        long initiator = ordinal / laneCount;
        return (int) (switch (step.kind()) {
                    case BEGIN, END, ABORT -> initiator;
                    case BEGIN_BRANCH, END_BRANCH, FAIL_BRANCH -> initiator + 1 + step.branch();
                }
                % services);
    }

    /** Which service begins a saga. */
    String initiator(long ordinal) {
        return serviceName((int) (ordinal / laneCount % plan.wiring().services()));
    }

    /** What a participant answers: success, but for the compensations that are to fail. */
    CallbackResult answer(long ordinal, Callback callback) {
        CallbackResult.Builder result = CallbackResult.newBuilder()
                .setSaga(callback.getSaga())
                .setBranch(callback.getBranch())
                .setKind(callback.getKind())
                .setAttempt(callback.getAttempt());
        if (ordinal >= 0 && fails(ordinal, callback)) {
            result.setFailure(CallbackFailure.newBuilder()
                    .setCode(CallbackFailure.Code.THREW)
                    .setCause("the order cannot be undone"));
        }
        return result.build();
    }

    /** The first that is asked fails: of the branch that ended last. */
    boolean fails(long ordinal, Callback callback) {
        return callback.getKind() == CallbackKind.COMPENSATION
                && compensationFails(ordinal)
                && names.branch(ordinal, callback.getBranch()) == plan.shape().branches() - 2;
    }
}
