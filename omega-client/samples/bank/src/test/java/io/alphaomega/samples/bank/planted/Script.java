package io.alphaomega.samples.bank.planted;

import io.alphaomega.protocol.v1.BeginBranch;
import io.alphaomega.protocol.v1.BeginSaga;
import io.alphaomega.protocol.v1.CallbackOffer;
import io.alphaomega.protocol.v1.CallbackPolicy;
import io.alphaomega.protocol.v1.EndBranch;
import io.alphaomega.protocol.v1.EndSaga;
import io.alphaomega.protocol.v1.FailBranch;
import io.alphaomega.protocol.v1.Input;
import io.alphaomega.protocol.v1.Policy;
import io.alphaomega.samples.bank.checker.History.Step;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** What the services of the load say of one saga, in order; the next when the last is answered. */
final class Script {
    static final String WEST = "west";
    static final String EAST = "east";
    static final String UNDO = "undo";
    static final String FINISH = "finish";

    private static final Duration TIMEOUT = Duration.ofSeconds(8);
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** What becomes of a saga. */
    enum Life {
        COMMITS,
        CONFIRMS,
        FAILS,
        FAILS_UNCONFIRMED,
        /** Nobody ends it. */
        ABANDONED,
        /** It fails, and one of its compensations never succeeds. */
        STUCK
    }

    final String saga = UUID.randomUUID().toString();
    final Life life;
    final Instant begun;
    final List<Step> steps = new ArrayList<>();
    private final List<Input.Builder> inputs = new ArrayList<>();
    private int next;

    Script(Life life, Instant begun) {
        this.life = life;
        this.begun = begun;
        inputs.add(Input.newBuilder()
                .setBegin(BeginSaga.newBuilder().setOperation("load").setPolicy(policy())));
        done(WEST, -1);
        if (life != Life.ABANDONED) done(EAST, 1);
        switch (life) {
            case COMMITS, CONFIRMS -> end();
            case FAILS, FAILS_UNCONFIRMED -> {
                failed();
                end();
            }
            case STUCK -> failed();
            case ABANDONED -> {}
        }
    }

    private Policy policy() {
        Duration timeout = life == Life.ABANDONED ? SHORT : TIMEOUT;
        return Policy.newBuilder()
                .setTimeoutMillis(timeout.toMillis())
                .setCallbacks(CallbackPolicy.newBuilder()
                        .setAttempts(life == Life.STUCK ? 2 : 50)
                        .setFirstDelayMillis(100)
                        .setMaxDelayMillis(500))
                .build();
    }

    private void done(String service, long amount) {
        inputs.add(Input.newBuilder().setBeginBranch(offer(service)));
        inputs.add(Input.newBuilder().setEndBranch(EndBranch.newBuilder().setBranch(branch(service))));
        steps.add(new Step(service, amount));
    }

    private BeginBranch.Builder offer(String service) {
        BeginBranch.Builder branch = BeginBranch.newBuilder()
                .setBranch(branch(service))
                .setOperation("work")
                .setFenced(true)
                .setCompensation(CallbackOffer.newBuilder().setName(UNDO));
        return life == Life.CONFIRMS || life == Life.FAILS
                ? branch.setConfirmation(CallbackOffer.newBuilder().setName(FINISH))
                : branch;
    }

    private void failed() {
        inputs.add(Input.newBuilder()
                .setBeginBranch(offer(WEST).setBranch(branch("refused")).clearConfirmation()));
        inputs.add(Input.newBuilder()
                .setFailBranch(FailBranch.newBuilder()
                        .setBranch(branch("refused"))
                        .setCause("refused")
                        .setRolledBack(true)));
    }

    private void end() {
        inputs.add(Input.newBuilder().setEnd(EndSaga.newBuilder().setWait(true)));
    }

    String branch(String service) {
        return saga + "-" + service;
    }

    /** The service that says the input; whoever begins a saga ends it. */
    String speaker(Input input) {
        String branch = input.getBeginBranch().getBranch()
                + input.getEndBranch().getBranch()
                + input.getFailBranch().getBranch();
        return branch.equals(branch(EAST)) ? EAST : WEST;
    }

    boolean hasNext() {
        return next < inputs.size();
    }

    Input.Builder next() {
        return inputs.get(next++).setSaga(saga);
    }

    /** All that is left to say is the end, if it is ever said. */
    void skipToEnd() {
        next = inputs.getLast().hasEnd() ? Math.max(next, inputs.size() - 1) : inputs.size();
    }
}
