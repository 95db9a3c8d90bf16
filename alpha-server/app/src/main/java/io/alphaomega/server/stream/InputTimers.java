package io.alphaomega.server.stream;

import io.alphaomega.saga.SagaInput;
import io.alphaomega.server.meters.Histograms;
import io.alphaomega.server.meters.Waits;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * How long inputs take on this node, by what they say: from being read until their acknowledgement is on its way, or the
 * result of a callback is stored, which nobody acknowledges. What was answered "not now" is in none of them. Reports that
 * travelled with an input count as what they are, with the input's time.
 */
final class InputTimers {
    private final Timer begin;
    private final Timer branch;
    private final Timer branchEnded;
    private final Timer branchFailed;
    private final Timer end;
    private final Timer abort;
    private final Timer outcome;
    private final Timer callbackAnswer;

    InputTimers(MeterRegistry registry) {
        begin = timer(registry, "begin");
        branch = timer(registry, "branch");
        branchEnded = timer(registry, "branch-ended");
        branchFailed = timer(registry, "branch-failed");
        end = timer(registry, "end");
        abort = timer(registry, "abort");
        outcome = timer(registry, "outcome");
        callbackAnswer = timer(registry, "callback-answer");
    }

    private static Timer timer(MeterRegistry registry, String kind) {
        return Histograms.ofWaits("alpha.input")
                .description(
                        "From an input's arrival on a stream of this node until its acknowledgement is handed to the stream; an end that waits for branches takes as long as they do; without inputs answered 'not now'")
                .tag("kind", kind)
                .register(registry);
    }

    /** {@code input} has been decided, so many nanoseconds after it was read. */
    void answered(SagaInput input, long nanos) {
        if (input instanceof SagaInput.Carrying carrying) {
            if (carrying.begin().isPresent()) begin.record(nanos, TimeUnit.NANOSECONDS);
            for (int i = 0; i < carrying.ended().size(); i++) branchEnded.record(nanos, TimeUnit.NANOSECONDS);
        }
        of(input.itself()).record(nanos, TimeUnit.NANOSECONDS);
    }

    /** How long those took that wait for the store only: an end waits for branches, too. */
    Waits waits() {
        return Stream.of(begin, branch, branchEnded, branchFailed, abort)
                .map(Waits::of)
                .reduce(Waits.NONE, Waits::plus);
    }

    private Timer of(SagaInput input) {
        return switch (input) {
            case SagaInput.Begin said -> begin;
            case SagaInput.BeginOnce said -> begin;
            case SagaInput.BeginNested said -> begin;
            case SagaInput.BeginBranch said -> branch;
            case SagaInput.EndBranch said -> branchEnded;
            case SagaInput.FailBranch said -> branchFailed;
            case SagaInput.End said -> end;
            case SagaInput.Abort said -> abort;
            case SagaInput.AskOutcome said -> outcome;
            case SagaInput.SucceedCallback said -> callbackAnswer;
            case SagaInput.FailCallback said -> callbackAnswer;
            case SagaInput.DeferCallback said -> callbackAnswer;
            case SagaInput.AnswerFence said -> callbackAnswer;
            default ->
                throw new IllegalArgumentException(
                        "no omega says a " + input.getClass().getSimpleName() + ", so it is not timed");
        };
    }
}
