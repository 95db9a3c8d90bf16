package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Everything about one saga. */
class SagaDetailTest extends RestApi {
    @Test
    void a_saga_whose_history_was_purged_is_gone_and_was_not_always() {
        saga().begun("trip " + id).committed();
        repository.purge(WrittenSaga.BEGUN.plusSeconds(1), 1_000);

        for (MvcTestResult gone : List.of(
                get("/api/v1/sagas/" + id),
                http.post()
                        .uri("/api/v1/sagas/" + id + "/retry")
                        .contentType(MediaType.APPLICATION_JSON)
                        .content("{\"reason\": \"why not\"}")
                        .exchange())) {
            assertThat(gone)
                    .hasStatus(410)
                    .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                    .bodyJson()
                    .hasPathSatisfying(
                            "$.detail",
                            detail -> detail.assertThat()
                                    .isEqualTo(
                                            "Saga '%s' ended as COMMITTED; its history is older than alpha.retention.ended and no longer stored."
                                                    .formatted(id)))
                    .hasPathSatisfying("$.state", state -> state.assertThat().isEqualTo("COMMITTED"))
                    .hasPathSatisfying("$.reason", reason -> reason.assertThat().isEqualTo("SAGA_PURGED"));
        }
        assertThat(count("text=" + id)).isZero();
    }

    @Test
    void a_saga_is_shown_with_its_branches_their_callbacks_and_its_whole_history() {
        suspendedSaga();

        assertThat(get("/api/v1/sagas/" + id))
                .hasStatusOk()
                .bodyJson()
                .hasPathSatisfying("$.state", state -> state.assertThat().isEqualTo("SUSPENDED"))
                .hasPathSatisfying(
                        "$.attributes.tenant", tenant -> tenant.assertThat().isEqualTo("acme"))
                .hasPathSatisfying("$.abort.cause", cause -> cause.assertThat().isEqualTo("BRANCH_FAILED"))
                .hasPathSatisfying(
                        "$.abort.branch", branch -> branch.assertThat().isEqualTo("car"))
                .hasPathSatisfying(
                        "$.suspension.reason", reason -> reason.assertThat().isEqualTo("UNDECODABLE"))
                .hasPathSatisfying(
                        "$.suspension.service", service -> service.assertThat().isEqualTo("hotel"))
                .hasPathSatisfying(
                        "$.branches[0].id", branch -> branch.assertThat().isEqualTo("hotel"))
                .hasPathSatisfying(
                        "$.branches[0].forward.state",
                        state -> state.assertThat().isEqualTo("ENDED"))
                .hasPathSatisfying(
                        "$.branches[0].argumentsBytes",
                        size -> size.assertThat().isEqualTo(8))
                .hasPathSatisfying(
                        "$.branches[0].callback.state",
                        state -> state.assertThat().isEqualTo("GAVE_UP"))
                .hasPathSatisfying(
                        "$.branches[0].callback.attempts",
                        tries -> tries.assertThat().isEqualTo(1))
                .hasPathSatisfying(
                        "$.branches[0].callback.lastError",
                        error -> error.assertThat().isEqualTo("UNDECODABLE: no such field: room"))
                .hasPathSatisfying(
                        "$.branches[1].forward.error",
                        error -> error.assertThat().isEqualTo("none left"))
                .hasPathSatisfying(
                        "$.history[0].type", type -> type.assertThat().isEqualTo("saga.begun.v1"))
                .hasPathSatisfying(
                        "$.history[1].text", text -> text.assertThat().isEqualTo("hotel Rooms.reserve began."))
                .hasPathSatisfying(
                        "$.history[1].payloadBytes", size -> size.assertThat().isEqualTo(8));
    }

    @Test
    void a_saga_tells_those_that_are_nested_in_it_and_each_of_them_where_it_is_nested() {
        String inner = id + "-inner";
        new WrittenSaga(repository, id).begun("").began("ride", new SagaId(inner));
        new WrittenSaga(repository, inner).begunIn(id, "ride").committed();

        assertThat(get("/api/v1/sagas/" + id))
                .bodyJson()
                .hasPathSatisfying("$.nested[0].saga", saga -> saga.assertThat().isEqualTo(inner))
                .hasPathSatisfying(
                        "$.nested[0].branch", branch -> branch.assertThat().isEqualTo("ride"))
                .hasPathSatisfying(
                        "$.nested[0].state", state -> state.assertThat().isEqualTo("ACTIVE"))
                .hasPathSatisfying(
                        "$.nested[0].prepared",
                        prepared -> prepared.assertThat().isEqualTo(true))
                .hasPathSatisfying(
                        "$.branches[0].nested", saga -> saga.assertThat().isEqualTo(inner))
                .hasPathSatisfying(
                        "$.history[1].text",
                        text -> text.assertThat().isEqualTo("booking Rides.book began, as saga " + inner + "."));
        assertThat(get("/api/v1/sagas/" + inner))
                .bodyJson()
                .hasPathSatisfying("$.parent.saga", saga -> saga.assertThat().isEqualTo(id))
                .hasPathSatisfying(
                        "$.parent.branch", branch -> branch.assertThat().isEqualTo("ride"))
                .hasPathSatisfying(
                        "$.prepared", prepared -> prepared.assertThat().isEqualTo(true))
                .hasPathSatisfying(
                        "$.history[2].text",
                        text -> text.assertThat().isEqualTo("Prepared: saga " + id + " decides it."));
    }

    @Test
    void the_content_of_a_payload_is_never_shown() {
        suspendedSaga();

        assertThat(get("/api/v1/sagas/" + id)).bodyText().doesNotContain("secret", "YSBzZWNyZXQ");
    }

    @Test
    void a_saga_that_nobody_knows_is_not_found() {
        assertThat(get("/api/v1/sagas/" + id))
                .hasStatus(404)
                .bodyJson()
                .hasPathSatisfying("$.reason", reason -> reason.assertThat().isEqualTo("UNKNOWN_SAGA"))
                .hasPathSatisfying("$.detail", text -> text.assertThat().isEqualTo("There is no saga '" + id + "'."));
        assertThat(get("/api/v1/sagas/{id}", "not an id")).hasStatus(404);
    }

    @Test
    void a_saga_whose_journal_cannot_be_read_is_shown_suspended_with_what_can_be_read() {
        saga().begun("trip " + id).began("hotel", "hotel").damaged();

        assertThat(get("/api/v1/sagas/" + id))
                .hasStatusOk()
                .bodyJson()
                .hasPathSatisfying("$.state", state -> state.assertThat().isEqualTo("SUSPENDED"))
                .hasPathSatisfying(
                        "$.reason",
                        reason -> reason.assertThat().asString().startsWith("JOURNAL_UNREADABLE: Event 3: "))
                .hasPathSatisfying(
                        "$.suspension.reason", reason -> reason.assertThat().isEqualTo("JOURNAL_UNREADABLE"))
                .hasPathSatisfying(
                        "$.branches[0].id", branch -> branch.assertThat().isEqualTo("hotel"))
                .hasPathSatisfying(
                        "$.sequence", sequence -> sequence.assertThat().isEqualTo(3))
                .hasPathSatisfying(
                        "$.history[2].type", type -> type.assertThat().isEqualTo("saga.teleported.v9"));
    }
}
