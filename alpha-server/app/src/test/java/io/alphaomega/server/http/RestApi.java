package io.alphaomega.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import io.alphaomega.repository.kit.InMemorySagaRepository;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.server.queries.OrderReader;
import io.alphaomega.server.queries.SagaReader;
import io.alphaomega.server.saga.UnreadableSagas;
import java.io.UnsupportedEncodingException;
import java.util.List;
import java.util.UUID;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;
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
@Import({OrderReader.class, SagaReader.class, RestBeans.class})
abstract class RestApi {
    @Autowired
    MockMvcTester http;

    @Autowired
    InMemorySagaRepository repository;

    @Autowired
    UnreadableSagas unreadable;

    final String id = UUID.randomUUID().toString();

    WrittenSaga saga() {
        return new WrittenSaga(repository, id);
    }

    WrittenSaga saga(String end) {
        return new WrittenSaga(repository, id + "-" + end);
    }

    WrittenSaga suspendedSaga() {
        return saga().suspended("trip " + id);
    }

    MvcTestResult get(String uri, Object... variables) {
        return http.get().uri(uri, variables).exchange();
    }

    MvcTestResult post(String order, String body) {
        return http.post()
                .uri("/api/v1/sagas/{id}/{order}", id, order)
                .contentType(MediaType.APPLICATION_JSON)
                .content(body)
                .exchange(Patience.LIMIT);
    }

    int count(String query) {
        MvcTestResult list = get("/api/v1/sagas?" + query);
        assertThat(list).hasStatusOk();
        return JsonPath.read(body(list), "$.sagas.length()");
    }

    static String text(MvcTestResult result, String path) {
        return JsonPath.read(body(result), path);
    }

    static List<String> texts(MvcTestResult answer, String path) {
        return JsonPath.read(body(answer), path);
    }

    static String body(MvcTestResult result) {
        try {
            return result.getResponse().getContentAsString();
        } catch (UnsupportedEncodingException e) {
            throw new AssertionError(e);
        }
    }
}
