package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Clock;

/** Real load. */
final class RealLoad implements AgentWork {
    @Override
    public Result make(LoadPlan plan, Progress progress, Start start) throws InterruptedException {
        try (Load load = Load.connect(plan, Clock.systemUTC(), progress)) {
            start.await();
            Measurements measured = load.run();
            // Others use the same alphas, so their counts are not this generator's: the coordinator compares them.
            Verification verification = load.verify(false);
            return new Result(measured, verification, load.books());
        }
    }
}
