package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.saga.Outcome;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** Orders, those that were given and those that cannot be carried out, and what there is besides sagas. */
class RestTest extends RestApi {
    @Test
    void the_orders_that_operators_gave_are_listed_with_what_became_of_the_saga() {
        String ann = "ann " + id;
        String bob = "bob " + id;
        Duration minute = Duration.ofMinutes(1);
        saga("1").suspended("trip 1").later(minute).retried(bob, "hotel is deployed");
        saga("2").suspended("trip 2").later(minute.multipliedBy(2)).skipped("hotel", ann, "refunded: by hand");
        saga("3").begun("").later(minute.multipliedBy(3)).aborted(bob, "wrong: tenant");
        saga("4")
                .suspended("")
                .later(minute)
                .retried(bob, "again")
                .later(minute.multipliedBy(3))
                .compensationUndecodable("hotel", 2)
                .retried(ann, "once more");
        saga("5").suspended("").resolved(Outcome.COMPENSATED, ann, "all undone");

        MvcTestResult all = get("/api/v1/orders?since=2026-11-20T09:00:00Z");
        assertThat(all).hasStatusOk();
        String mine = "$.orders[?(@.saga =~ /%s.*/)]".formatted(id);
        assertThat(texts(all, mine + ".order")).containsExactly("RETRY", "RETRY", "ABORT", "SKIP", "RETRY", "RESOLVE");
        assertThat(texts(all, mine + ".who")).containsExactly(ann, bob, bob, ann, bob, ann);
        assertThat(texts(all, mine + ".why"))
                .containsExactly(
                        "once more", "again", "wrong: tenant", "refunded: by hand", "hotel is deployed", "all undone");
        assertThat(texts(all, mine + ".state"))
                .containsExactly(
                        "COMPENSATING", "COMPENSATING", "COMPENSATED", "COMPENSATED", "COMPENSATING", "COMPENSATED");
        assertThat(get("/api/v1/orders?since=58m&who=" + ann)).bodyJson().isStrictlyEqualTo("""
                {"orders": [{
                  "at": "2026-11-20T09:04:00Z", "order": "RETRY", "who": "ann %1$s", "why": "once more", "saga": "%1$s-4",
                  "sequence": 13, "branch": null, "branchName": null, "service": "booking",
                  "operation": "Booking.book", "businessKey": "", "state": "COMPENSATING"
                }, {
                  "at": "2026-11-20T09:02:00Z", "order": "SKIP", "who": "ann %1$s", "why": "refunded: by hand",
                  "saga": "%1$s-2", "sequence": 10, "branch": "hotel", "branchName": "hotel Rooms.reserve",
                  "service": "booking", "operation": "Booking.book", "businessKey": "trip 2", "state": "COMPENSATED"
                }], "next": null}
                """.formatted(id));
    }

    @Test
    void the_orders_come_in_pages_and_one_without_an_order_of_theirs_is_turned() {
        String ann = "ann " + id;
        saga("1").begun("").later(Duration.ofSeconds(10)).aborted(ann, "x");
        saga("2").begun("").later(Duration.ofSeconds(11)).aborted("bob", "x");
        saga("3").begun("").later(Duration.ofSeconds(12)).aborted(ann, "x");

        MvcTestResult first = get("/api/v1/orders?limit=1&who=" + ann);
        assertThat(texts(first, "$.orders[*].saga")).containsExactly(id + "-3");
        MvcTestResult second = http.get()
                .uri("/api/v1/orders?limit=1&who={ann}&cursor={next}", ann, text(first, "$.next"))
                .exchange();
        assertThat(texts(second, "$.orders[*].saga")).containsExactly(id + "-1");
        assertThat(get("/api/v1/orders?since=soon"))
                .hasStatus(400)
                .bodyJson()
                .extractingPath("$.detail")
                .isEqualTo("The parameter 'since' must be an instant such as 2026-11-20T09:30:00Z but was 'soon'.");
        assertThat(get("/api/v1/orders?cursor=nonsense")).hasStatus(400);
        assertThat(get("/api/v1/orders?limit=201")).hasStatus(400);
        assertThat(get("/api/v1/orders?whom=ann")).hasStatus(400);
    }

    @Test
    void the_nodes_are_unknown_until_this_one_is_in_the_cluster() {
        assertThat(get("/api/v1/nodes"))
                .hasStatus(503)
                .containsHeader("Retry-After")
                .bodyJson()
                .hasPathSatisfying("$.reason", reason -> reason.assertThat().isEqualTo("UNAVAILABLE"))
                .hasPathSatisfying(
                        "$.detail",
                        text -> text.assertThat().isEqualTo("This alpha node is starting or stopping; ask again."));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "retry|{}|BAD_FIELD|The field 'reason' must be why you order this.",
                "skip|{\"reason\":\"r\"}|BAD_FIELD|The field 'branch' must be the id of the branch to skip.",
                "resolve|{\"reason\":\"r\",\"outcome\":\"MAYBE\"}|BAD_FIELD|The field 'outcome' must be COMMITTED or COMPENSATED.",
            })
    void an_order_without_what_it_needs_is_refused(String order, String body, String reason, String sentence) {
        suspendedSaga();

        assertThat(post(order, body))
                .hasStatus(400)
                .bodyJson()
                .hasPathSatisfying("$.reason", found -> found.assertThat().isEqualTo(reason))
                .hasPathSatisfying("$.detail", found -> found.assertThat().isEqualTo(sentence));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"{\"reason\":\"r\",\"seqence\":3}", "not json", "[]", "''"})
    void a_body_that_cannot_be_read_is_refused_with_a_sentence(String body) {
        assertThat(post("retry", body))
                .hasStatus(400)
                .bodyJson()
                .hasPathSatisfying("$.reason", reason -> reason.assertThat().isEqualTo("BAD_BODY"))
                .hasPathSatisfying(
                        "$.detail",
                        detail -> detail.assertThat()
                                .asString()
                                .startsWith(
                                        "The body must be a JSON object with the fields of this request, and no others: "));
    }

    @Test
    void a_body_that_is_too_large_is_refused() {
        assertThat(post("retry", "{\"reason\":\"%s\"}".formatted("x".repeat(20_000))))
                .hasStatus(400);
    }

    @Test
    void an_order_that_a_form_of_another_site_could_send_is_refused() {
        assertThat(http.post()
                        .uri("/api/v1/sagas/{id}/retry", id)
                        .contentType(MediaType.TEXT_PLAIN)
                        .content("{\"reason\":\"r\"}"))
                .hasStatus(415)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("UNSUPPORTED_MEDIA_TYPE");
    }

    @Test
    void an_order_for_an_unknown_saga_is_not_found() {
        assertThat(post("abort", "{\"reason\":\"r\"}")).hasStatus(404);
    }

    @Test
    void an_order_that_nobody_can_carry_out_now_is_to_be_sent_again() {
        suspendedSaga();

        assertThat(post("retry", "{\"reason\":\"r\"}"))
                .hasStatus(503)
                .hasHeader("Retry-After", "2")
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("UNAVAILABLE");
    }

    @Test
    void a_path_that_does_not_exist_is_a_problem_too() {
        assertThat(get("/api/v1/nothing"))
                .hasStatus(404)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON);
        assertThat(http.delete().uri("/api/v1/sagas"))
                .hasStatus(405)
                .hasContentTypeCompatibleWith(MediaType.APPLICATION_PROBLEM_JSON)
                .bodyJson()
                .extractingPath("$.reason")
                .isEqualTo("METHOD_NOT_ALLOWED");
    }

    @Test
    void the_address_itself_says_where_to_look() {
        assertThat(get("/"))
                .hasStatusOk()
                .bodyJson()
                .extractingPath("$.links.sagas")
                .isEqualTo("/api/v1/sagas");
    }
}
