package io.alphaomega.saga.simulation;

import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaInput;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a process knows and alpha may not: it travels with what the process calls, or tells, next. */
final class Held {
    private Optional<SagaInput.Begin> begin;
    private final List<BranchId> ended;

    /** As it travels. */
    record Load(Optional<SagaInput.Begin> begin, List<BranchId> ended) {
        static final Load NONE = new Load(Optional.empty(), List.of());

        boolean isEmpty() {
            return begin.isEmpty() && ended.isEmpty();
        }

        SagaInput with(SagaInput input) {
            return isEmpty() ? input : new SagaInput.Carrying(begin, ended, input);
        }
    }

    /**
     * What a caller hears.
     *
     * @param told whether alpha has been told what the call was sent with
     * @param ended branches that have ended, which nobody has told alpha
     */
    record Answer(boolean succeeded, boolean told, List<BranchId> ended) {
        static final Answer FAILED = new Answer(false, false, List.of());
    }

    Held(Load load) {
        begin = load.begin();
        ended = new ArrayList<>(load.ended());
    }

    Load load() {
        return new Load(begin, List.copyOf(ended));
    }

    void hold(List<BranchId> more) {
        more.stream().filter(branch -> !ended.contains(branch)).forEach(ended::add);
    }

    void told(Load load) {
        if (load.begin().isPresent()) begin = Optional.empty();
        ended.removeAll(load.ended());
    }
}
