package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.SagaId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Lists of sagas, and how many there are. */
class SagaListTest extends RestApi {
    @Test
    void the_list_shows_a_saga_with_every_field_of_its_summary() {
        saga().begun("trip " + id).began("hotel", "hotel").ended("hotel").committed();

        MvcTestResult list = get("/api/v1/sagas?text=" + id);

        assertThat(list).hasStatusOk().bodyJson().isStrictlyEqualTo("""
                {"sagas": [{
                  "id": "%s", "state": "COMMITTED", "service": "booking", "operation": "Booking.book",
                  "businessKey": "trip %s", "services": ["booking", "hotel"], "branchCount": 1, "reason": "",
                  "manual": false, "begunAt": "2026-11-20T09:00:00Z", "updatedAt": "2026-11-20T09:00:00Z",
                  "endedAt": "2026-11-20T09:00:00Z", "wakeUpAt": null}],
                 "next": null}
                """.formatted(id, id));
    }

    @Test
    void the_list_is_narrowed_by_every_parameter_and_states_add_up() {
        saga().begun("trip " + id).began("hotel", "hotel");

        assertThat(count("text=" + id + "&state=ACTIVE&state=SUSPENDED")).isEqualTo(1);
        assertThat(count("text=" + id + "&state=COMMITTED")).isZero();
        assertThat(count("text=" + id + "&service=hotel")).isEqualTo(1);
        assertThat(count("text=" + id + "&service=car")).isZero();
        assertThat(count("text=" + id + "&from=2026-11-20T09:00:00Z&to=2026-11-20T09:00:00.001Z"))
                .isEqualTo(1);
        assertThat(count("text=" + id + "&to=2026-11-20T09:00:00Z")).isZero();
        assertThat(count("id=" + id)).isEqualTo(1);
        assertThat(count("id=" + id + "0")).isZero();
        assertThat(count("businessKey=trip " + id)).isEqualTo(1);
        assertThat(count("businessKey=" + id)).isZero();
        assertThat(count("id=" + id + "&operation=Booking.book")).isEqualTo(1);
        assertThat(count("id=" + id + "&operation=Booking")).isZero();
        assertThat(count("id=" + id + "&changedSince=2026-11-20T09:00:00Z")).isEqualTo(1);
        assertThat(count("id=" + id + "&changedSince=2026-11-20T09:00:00.001Z")).isZero();
        assertThat(count("id=" + id + "&reason=left")).isZero();
        assertThat(count("id=" + id + "&attribute=tenant=acme")).isEqualTo(1);
        assertThat(count("id=" + id + "&attribute=tenant=acm")).isZero();
    }

    @Test
    void the_list_is_narrowed_by_age_and_by_how_long_sagas_take() {
        saga().begun("trip " + id).began("hotel", "hotel").ended("hotel").committed();
        String it = "id=" + id;

        assertThat(count(it + "&olderThan=59m")).isEqualTo(1);
        assertThat(count(it + "&olderThan=PT1H")).isZero();
        assertThat(count(it + "&youngerThan=1h")).isEqualTo(1);
        assertThat(count(it + "&youngerThan=59m")).isZero();
        assertThat(count(it + "&youngerThan=1d&from=2026-11-20T09:00:00.001Z")).isZero();
        assertThat(count(it + "&olderThan=1s&to=2026-11-20T09:00:00Z")).isZero();
        assertThat(count(it + "&longerThan=0s")).isEqualTo(1);
        assertThat(count(it + "&longerThan=1ms")).as("it ended when it began").isZero();
    }

    @Test
    void the_list_comes_in_pages() {
        for (int i = 0; i < 3; i++) new WrittenSaga(repository, id + "-" + i).begun("pages " + id);

        MvcTestResult first = get("/api/v1/sagas?limit=2&text=" + id);
        assertThat(first).bodyJson().extractingPath("$.sagas.length()").isEqualTo(2);
        String next = "/api/v1/sagas?limit=2&text=" + id + "&cursor={next}";
        assertThat(http.get().uri(next, text(first, "$.next")).exchange())
                .bodyJson()
                .extractingPath("$.sagas.length()")
                .isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "state=DONE|state|The parameter 'state' must be one of [ACTIVE, CONFIRMING, COMPENSATING, SUSPENDED, COMMITTED, COMPENSATED] but was 'DONE'.",
                "from=yesterday|from|The parameter 'from' must be an instant such as 2026-11-20T09:30:00Z but was 'yesterday'.",
                "from=-1000000000-01-01T00:00:00Z|from|The parameter 'from' must be an instant such as 2026-11-20T09:30:00Z but was '-1000000000-01-01T00:00:00Z'.",
                "to=1|to|The parameter 'to' must be an instant such as 2026-11-20T09:30:00Z but was '1'.",
                "changedSince=1h|changedSince|The parameter 'changedSince' must be an instant such as 2026-11-20T09:30:00Z but was '1h'.",
                "olderThan=15|olderThan|The parameter 'olderThan' must be a duration such as 15m or PT15M, up to 36500d but was '15'.",
                "youngerThan=-1h|youngerThan|The parameter 'youngerThan' must be a duration such as 15m or PT15M, up to 36500d but was '-1h'.",
                "longerThan=36501d|longerThan|The parameter 'longerThan' must be a duration such as 15m or PT15M, up to 36500d but was '36501d'.",
                "longerThan=9999999999999999999d|longerThan|The parameter 'longerThan' must be a duration such as 15m or PT15M, up to 36500d but was '9999999999999999999d'.",
                "id=a/b|id|The parameter 'id' must be the whole id of a saga but was 'a/b'.",
                "attribute=tenant|attribute|The parameter 'attribute' must be one name=value but was 'tenant'.",
                "attribute=a=1&attribute=b=2|attribute|The parameter 'attribute' must be one name=value but was 'a=1', 'b=2'.",
                "limit=0|limit|The parameter 'limit' must be 1 to 1000 but was '0'.",
                "limit=many|limit|The parameter 'limit' must be 1 to 1000 but was 'many'.",
                "cursor=nonsense|cursor|The parameter 'cursor' must be the 'next' of a page before but was 'nonsense'.",
                "stat=ACTIVE|stat|The parameter 'stat' must be one of id, state, service, operation, businessKey, attribute, text, reason, from, to, olderThan, youngerThan, changedSince, longerThan, cursor and limit but was 'stat'.",
            })
    void a_bad_parameter_is_refused_by_its_name(String query, String parameter, String sentence) {
        assertThat(get("/api/v1/sagas?" + query))
                .hasStatus(400)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson()
                .hasPathSatisfying("$.detail", detail -> detail.assertThat().isEqualTo(sentence))
                .hasPathSatisfying("$.parameter", name -> name.assertThat().isEqualTo(parameter))
                .hasPathSatisfying("$.reason", reason -> reason.assertThat().isEqualTo("BAD_PARAMETER"));
    }

    @Test
    void a_saga_that_its_actor_could_not_read_is_listed_suspended_whatever_is_stored() {
        saga().begun("trip " + id);
        unreadable.add(new SagaId(id), "Damaged.");

        assertThat(get("/api/v1/sagas?text=" + id))
                .bodyJson()
                .hasPathSatisfying(
                        "$.sagas[0].state", state -> state.assertThat().isEqualTo("SUSPENDED"))
                .hasPathSatisfying(
                        "$.sagas[0].reason", reason -> reason.assertThat().isEqualTo("JOURNAL_UNREADABLE: Damaged."));
        assertThat(count("state=SUSPENDED&text=" + id)).isEqualTo(1);
        assertThat(count("state=ACTIVE&text=" + id)).isZero();
        assertThat(get("/api/v1/counts"))
                .bodyJson()
                .extractingPath("$.unreadable")
                .isEqualTo(unreadable.count());
    }

    @Test
    void every_state_is_counted() {
        assertThat(get("/api/v1/counts"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.byState")
                .asMap()
                .containsOnlyKeys("ACTIVE", "CONFIRMING", "COMPENSATING", "SUSPENDED", "COMMITTED", "COMPENSATED");
    }
}
