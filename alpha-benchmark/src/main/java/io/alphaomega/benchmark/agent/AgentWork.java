package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;

/** What an agent does once it was told a plan: make the load. Tests have another. */
interface AgentWork {
    /**
     * Returns when the load is over. An interrupt ends it early.
     *
     * @param start waits until all agents are prepared; called once, after the connections are there
     * @throws IllegalArgumentException if the plan cannot be carried out, such as for an alpha that is not there
     */
    Result make(LoadPlan plan, Progress progress, Start start) throws InterruptedException;

    /** What came of it. */
    record Result(Measurements measurements, Verification verification, SagaBooks books) {}

    /** The moment that all agents wait for. */
    interface Start {
        void await() throws InterruptedException;
    }
}
