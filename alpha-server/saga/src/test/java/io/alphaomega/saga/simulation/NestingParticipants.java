package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.CallbackKind;
import io.alphaomega.saga.FailureCode;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.saga.SagaId;
import io.alphaomega.saga.SagaInput;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The services behind their fences, each of which does what it is told once. */
final class NestingParticipants {
    private final NestingWorld world;
    private final Map<Key, Rows> rows = new LinkedHashMap<>();

    record Key(SagaId saga, BranchId branch) {}

    static final class Rows {
        boolean barred;
        int forwards;
        int compensations;
        int confirmations;

        @Override
        public String toString() {
            return "forwards " + forwards + ", compensations " + compensations + ", confirmations " + confirmations;
        }
    }

    NestingParticipants(NestingWorld world) {
        this.world = world;
    }

    Map<Key, Rows> rows() {
        return rows;
    }

    private Rows of(SagaId saga, BranchId branch) {
        return rows.computeIfAbsent(new Key(saga, branch), key -> new Rows());
    }

    /** False if it has been undone before. */
    boolean forward(SagaId saga, BranchId branch) {
        Rows of = of(saga, branch);
        if (of.barred || of.compensations > 0) return false;
        of.forwards = 1;
        return true;
    }

    /** Whether nothing is left of the branch, now and later. */
    boolean bar(SagaId saga, BranchId branch) {
        Rows of = of(saga, branch);
        if (of.forwards == 0) of.barred = true;
        return of.forwards == 0;
    }

    void callback(SagaId saga, SagaEffect.Call call, Consumer<SagaInput> answer) {
        Rows of = of(saga, call.branch());
        if (world.fails()) {
            answer.accept(new SagaInput.FailCallback(
                    call.branch(), call.kind(), call.attempt(), FailureCode.THREW, "not now", call.service()));
            return;
        }
        if (call.kind() == CallbackKind.CONFIRMATION) {
            world.audit.confirms(saga);
            of.confirmations = 1;
        } else if (of.forwards == 0) {
            of.barred = true;
        } else {
            of.compensations = 1;
        }
        answer.accept(new SagaInput.SucceedCallback(call.branch(), call.kind(), call.attempt(), call.service()));
    }
}
