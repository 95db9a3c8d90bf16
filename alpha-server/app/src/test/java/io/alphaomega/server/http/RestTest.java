package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.saga.Outcome;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.node.Nodes;
import io.alphaomega.server.queries.OrderReader;
import io.alphaomega.server.queries.SagaReader;
import io.alphaomega.server.saga.Sagas;
import io.alphaomega.server.saga.UnreadableSagas;
import io.alphaomega.server.search.SagaSearch;
import java.io.UnsupportedEncodingException;
import java.time.Clock;
import java.time.Duration;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.http.MediaType;
import org.springframework.test.web.servlet.assertj.MockMvcTester;
import org.springframework.test.web.servlet.assertj.MvcTestResult;

/** The REST API over a repository that a test fills; nobody carries out orders, as while the node starts. */
@WebMvcTest({
    IndexController.class,
    NodesController.class,
    OrderHistoryController.class,
    OrdersController.class,
    SagasController.class,
    SearchController.class,
    WhatIfController.class
})
@Import({OrderReader.class, SagaReader.class, RestTest.Beans.class})
class RestTest {
    @Autowired
    private MockMvcTester http;

    @Autowired
    private InMemorySagaRepository repository;

    @Autowired
    private UnreadableSagas unreadable;

    private final String id = UUID.randomUUID().toString();

    @TestConfiguration
    static class Beans {
        @Bean
        InMemorySagaRepository repository() {
            return new InMemorySagaRepository();
        }

        @Bean
        SagaSearch search(InMemorySagaRepository repository) {
            return new SagaSearch.InJournal(repository);
        }

        @Bean
        UnreadableSagas unreadable(Clock clock) {
            return new UnreadableSagas(clock);
        }

        @Bean
        Nodes nodes() {
            return new Nodes(Clock.systemUTC());
        }

        @Bean
        Clock clock() {
            return Clock.fixed(WrittenSaga.BEGUN.plus(Duration.ofHours(1)), ZoneOffset.UTC);
        }

        @Bean
        Sagas sagas() {
            return new Sagas();
        }
    }

    private WrittenSaga saga() {
        return new WrittenSaga(repository, id);
    }

    private WrittenSaga suspendedSaga() {
        return saga().suspended("trip " + id);
    }

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

    private WrittenSaga saga(String end) {
        return new WrittenSaga(repository, id + "-" + end);
    }

    private static List<String> texts(MvcTestResult answer, String path) {
        return JsonPath.read(body(answer), path);
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

    private MvcTestResult get(String uri, Object... variables) {
        return http.get().uri(uri, variables).exchange();
    }

    private MvcTestResult post(String order, String body) {
        return http.post()
                .uri("/api/v1/sagas/{id}/{order}", id, order)
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange(Patience.LIMIT);
    }

    private int count(String query) {
        MvcTestResult list = get("/api/v1/sagas?" + query);
        assertThat(list).hasStatusOk();
        return JsonPath.read(body(list), "$.sagas.length()");
    }

    private static String text(MvcTestResult result, String path) {
        return JsonPath.read(body(result), path);
    }

    private static String body(MvcTestResult result) {
        try {
            return result.getResponse().getContentAsString();
        } catch (UnsupportedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
