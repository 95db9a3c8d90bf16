package io.alphaomega.server.queries;

import io.alphaomega.saga.Reply;
import io.alphaomega.saga.SagaEffect;
import io.alphaomega.server.problem.Problems;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the rules would make of an input that somebody supposes, as JSON. They run on a copy of the journal: nothing is
 * stored, and nobody is called. Until it happens nobody says anything.
 *
 * @param input what is supposed
 * @param sequence how many events had happened by then
 * @param at when it would happen
 * @param reply what its sender would be told
 * @param events that would be journaled
 * @param calls that alpha would then make
 * @param decisions that it would then tell nested sagas
 * @param saga as it would be
 */
public record WhatIf(
        WhatIfRequest.Kind input,
        long sequence,
        Instant at,
        Answer reply,
        List<HistoryEntry> events,
        List<Call> calls,
        List<NestedDecision> decisions,
        SagaDetail saga) {

    /**
     * What the sender would be told.
     *
     * @param kind ACCEPTED, COMMITTED, PENDING, ABORTED, NOT_NOW or REJECTED
     * @param reason why it is rejected, for programs; null if it is not
     * @param text a sentence
     */
    public record Answer(String kind, @Nullable String reason, String text) {
        static Answer of(Reply reply) {
            return switch (reply) {
                case Reply.Accepted accepted -> new Answer("ACCEPTED", null, "Accepted.");
                case Reply.Committed committed -> new Answer("COMMITTED", null, "The saga is committed.");
                case Reply.Pending pending ->
                    new Answer("PENDING", null, "Nothing is decided yet, because branches still run.");
                case Reply.Aborted aborted ->
                    new Answer(
                            "ABORTED",
                            null,
                            Problems.sentence(
                                    "The saga is aborted: " + aborted.abort().text()));
                case Reply.NotNow(String text) -> new Answer("NOT_NOW", null, Problems.sentence(text));
                case Reply.Rejected rejected ->
                    new Answer("REJECTED", rejected.reason().name(), Problems.sentence(rejected.text()));
            };
        }
    }

    /**
     * A callback that alpha would ask for.
     *
     * @param branch whose work is undone or confirmed
     * @param service that is asked
     * @param kind COMPENSATION or CONFIRMATION
     * @param name of the callback, as the service offers it
     * @param attempt which it would be, from 1
     * @param answerBy until when alpha would wait for the answer
     */
    public record Call(String branch, String service, String kind, String name, int attempt, Instant answerBy) {
        static Call of(SagaEffect.Call call) {
            return new Call(
                    call.branch().value(),
                    call.service(),
                    call.kind().name(),
                    call.name(),
                    call.attempt(),
                    call.answerBy());
        }
    }

    /**
     * What a nested saga would be told by the saga that it is in.
     *
     * @param branch that the nested saga is
     * @param saga the nested one
     * @param outcome COMMITTED or COMPENSATED
     * @param attempt which it would be, from 1
     */
    public record NestedDecision(String branch, String saga, String outcome, int attempt) {
        static NestedDecision of(SagaEffect.Decide decide) {
            return new NestedDecision(
                    decide.branch().value(),
                    decide.saga().value(),
                    decide.decision().outcome().name(),
                    decide.attempt());
        }
    }
}
