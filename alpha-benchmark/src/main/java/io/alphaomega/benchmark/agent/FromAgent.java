package io.alphaomega.benchmark.agent;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import java.time.Instant;

/** What an agent says to the coordinator, in this order. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "is")
@JsonSubTypes({
    @JsonSubTypes.Type(value = FromAgent.Hello.class, name = "hello"),
    @JsonSubTypes.Type(value = FromAgent.Prepared.class, name = "prepared"),
    @JsonSubTypes.Type(value = FromAgent.Entered.class, name = "entered"),
    @JsonSubTypes.Type(value = FromAgent.Shown.class, name = "shown"),
    @JsonSubTypes.Type(value = FromAgent.Beat.class, name = "beat"),
    @JsonSubTypes.Type(value = FromAgent.Done.class, name = "done"),
    @JsonSubTypes.Type(value = FromAgent.Failed.class, name = "failed"),
})
sealed interface FromAgent {
    /**
     * Comes first, to anybody who connects.
     *
     * @param nonce see {@link AgentToken}
     */
    record Hello(String version, String nonce, boolean wantsToken) implements FromAgent {}

    /** Connected to alpha; waits for the others. */
    record Prepared() implements FromAgent {}

    record Entered(Progress.Phase phase) implements FromAgent {}

    record Shown(Progress.Snapshot snapshot) implements FromAgent {}

    /** I am here. */
    record Beat() implements FromAgent {}

    /**
     * The share is done.
     *
     * @param wentAt when {@link ToAgent.Go} came, by this machine's clock, by which the measurements tell the time too
     */
    record Done(Instant wentAt, Measurements measurements, Verification verification, SagaBooks books)
            implements FromAgent {}

    /** The load is not made, or not to its end. */
    record Failed(String why) implements FromAgent {}
}
