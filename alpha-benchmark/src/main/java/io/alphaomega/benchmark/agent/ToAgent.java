package io.alphaomega.benchmark.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.alphaomega.benchmark.plan.LoadPlan;

/** What a coordinator says to an agent. That it says no more is said by closing the connection: the load is stopped. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = ToAgent.Prepare.class, name = "prepare"),
    @JsonSubTypes.Type(value = ToAgent.Go.class, name = "go"),
    @JsonSubTypes.Type(value = ToAgent.Beat.class, name = "beat"),
})
sealed interface ToAgent {
    /**
     * Connect to alpha, begin what is kept open, and wait.
     *
     * @param proof see {@link AgentToken}
     * @param plan this agent's share of the load
     */
    record Prepare(String proof, LoadPlan plan) implements ToAgent {}

    /** All are prepared. */
    record Go() implements ToAgent {}

    /** I am here. */
    record Beat() implements ToAgent {}
}
