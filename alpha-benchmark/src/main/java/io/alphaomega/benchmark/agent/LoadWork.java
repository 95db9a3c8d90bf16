package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.load.Load;
import io.alphaomega.benchmark.load.Measurements;
import io.alphaomega.benchmark.load.Plan;
import io.alphaomega.benchmark.load.Progress;
import io.alphaomega.benchmark.load.Verification;
import java.time.Clock;
import java.util.List;

/** Real load. */
final class LoadWork implements Work {
    @Override
    public Result make(Plan plan, Progress progress, Start start) throws InterruptedException {
        try (Load load = Load.connect(plan, Clock.systemUTC(), progress)) {
            start.await();
            Measurements measured = load.run();
            return new Result(measured, new Verification(List.of(), load.troubles()));
        }
    }
}
