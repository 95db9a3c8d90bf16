package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the rules would make of what somebody supposes. */
class WhatIfTest extends RestApi {
    @Test
    void what_if_shows_what_an_order_would_lead_to_and_changes_nothing() {
        suspendedSaga();
        String before = body(get("/api/v1/sagas/{id}", id));

        assertThat(post("what-if", "{\"input\":\"RETRY\",\"after\":\"5m\"}"))
                .hasStatusOk()
                .bodyJson()
                .hasPathSatisfying("$.at", at -> at.assertThat().isEqualTo("2026-11-20T10:05:00Z"))
                .hasPathSatisfying("$.reply.kind", kind -> kind.assertThat().isEqualTo("ACCEPTED"))
                .hasPathSatisfying(
                        "$.events[*].type",
                        types -> types.assertThat()
                                .asArray()
                                .containsExactly("saga.resumed.v1", "callback.requested.v1"))
                .hasPathSatisfying(
                        "$.events[1].text",
                        text -> text.assertThat().asString().startsWith("hotel Rooms.reserve is asked"))
                .hasPathSatisfying("$.calls[0].name", name -> name.assertThat().isEqualTo("rooms.cancel"))
                .hasPathSatisfying("$.saga.state", state -> state.assertThat().isEqualTo("COMPENSATING"));
        assertThat(body(get("/api/v1/sagas/{id}", id))).isEqualTo(before);
    }

    @ParameterizedTest
    @CsvSource({"ABORT, COMPENSATED", "COMMIT, COMMITTED"})
    void what_if_shows_what_nested_sagas_would_be_told(String input, String outcome) {
        String inner = id + "-inner";
        new WrittenSaga(repository, id)
                .begun("")
                .began("ride", new SagaId(inner))
                .ended("ride")
                .began("hotel", "hotel");

        // Before its time was over, and before the last event.
        assertThat(post("what-if", "{\"input\":\"" + input + "\",\"sequence\":3}"))
                .hasStatusOk()
                .bodyJson()
                .hasPathSatisfying(
                        "$.calls", calls -> calls.assertThat().asArray().isEmpty())
                .hasPathSatisfying(
                        "$.decisions",
                        decisions -> decisions
                                .assertThat()
                                .asArray()
                                .containsExactly(
                                        Map.of("branch", "ride", "saga", inner, "outcome", outcome, "attempt", 1)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'input':'SKIP'|ACCEPTED|COMPENSATED",
                "'input':'RESOLVE'|ACCEPTED|COMPENSATED",
                "'input':'RESOLVE','outcome':'COMMITTED'|REJECTED|SUSPENDED",
                "'input':'ABORT'|ACCEPTED|SUSPENDED",
                "'input':'COMMIT'|ABORTED|SUSPENDED",
                "'input':'TIME_PASSES','after':'P1D'|ACCEPTED|SUSPENDED",
                // Of a journal that had only the begin of the saga and of the branch.
                "'input':'BRANCH_ENDS','sequence':2|ACCEPTED|ACTIVE",
                "'input':'BRANCH_FAILS','error':'full','sequence':2|ACCEPTED|COMPENSATED",
                "'input':'COMMIT','sequence':2|PENDING|ACTIVE",
                "'input':'ABORT','sequence':2|ACCEPTED|COMPENSATING",
                "'input':'TIME_PASSES','after':'P1D','sequence':2|ACCEPTED|SUSPENDED",
                "'input':'RETRY','sequence':2|REJECTED|ACTIVE",
                "'input':'ABORT','after':'2h','sequence':2|ACCEPTED|SUSPENDED",
                // And up to where the callback was asked for, of which nobody hears any more.
                "'input':'TIME_PASSES','after':'2d','sequence':7|ACCEPTED|SUSPENDED",
                "'input':'CALLBACK_SUCCEEDS','after':'31s','sequence':7|ACCEPTED|COMPENSATED",
                "'input':'CALLBACK_SUCCEEDS','sequence':7|ACCEPTED|COMPENSATED",
                "'input':'CALLBACK_FAILS','sequence':7|ACCEPTED|COMPENSATING",
            })
    void what_if_is_what_the_rules_say(String supposed, String reply, String state) {
        suspendedSaga();

        assertThat(post("what-if", "{" + supposed.replace('\'', '"') + "}"))
                .hasStatusOk()
                .bodyJson()
                .hasPathSatisfying("$.reply.kind", found -> found.assertThat().isEqualTo(reply))
                .hasPathSatisfying("$.saga.state", found -> found.assertThat().isEqualTo(state));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "'input':'HOPE'|The field 'input' must be one of [RETRY, SKIP,",
                "'input':'RETRY','after':'-1s'|The field 'after' must be a time of 0s to 3650d, such as 90s or PT5M.",
                "'input':'RETRY','after':'90'|The field 'after' must be a time of 0s to 3650d, such as 90s or PT5M.",
                "'input':'CALLBACK_FAILS','after':'30s','sequence':7|The field 'branch' must be the id of the branch that is meant, as there is none",
                "'input':'RETRY','after':'soon'|The field 'after' must be a time of 0s to 3650d, such as 90s or PT5M.",
                "'input':'RETRY','sequence':99|The field 'sequence' must be 1 to ",
                "'input':'SKIP','branch':'nobody'|The field 'branch' must be the id of a branch that the saga has by then.",
                "'input':'BRANCH_ENDS'|The field 'branch' must be the id of the branch that is meant, as there is none",
            })
    void what_cannot_be_supposed_is_refused_with_a_sentence(String supposed, String sentence) {
        suspendedSaga();

        assertThat(post("what-if", "{" + supposed.replace('\'', '"') + "}"))
                .hasStatus(400)
                .bodyJson()
                .hasPathSatisfying(
                        "$.detail", detail -> detail.assertThat().asString().startsWith(sentence));
    }
}
