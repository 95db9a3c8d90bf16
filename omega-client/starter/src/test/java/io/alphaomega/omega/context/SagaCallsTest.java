package io.alphaomega.omega.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.transport.http.SagaCalls;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.core.io.InputStreamResource;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.StreamingHttpOutputMessage;
import org.springframework.mock.http.client.MockClientHttpRequest;
import org.springframework.mock.http.client.MockClientHttpResponse;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;

class SagaCallsTest {
    private static final URI HOTEL = URI.create("http://hotel/rooms?nonce=1");

    private final List<Sent> sent = new ArrayList<>();
    private final RestClient client;
    private final RestTemplate template = new RestTemplate((uri, method) -> request(method, uri));

    SagaCallsTest() {
        RestClient.Builder builder = RestClient.builder().requestFactory((uri, method) -> request(method, uri));
        SagaCalls.from(builder);
        SagaCalls.from(template);
        client = builder.build();
    }

    /** A request that would stream its body, and does not. */
    private static final class Sent extends MockClientHttpRequest implements StreamingHttpOutputMessage {
        Sent(HttpMethod method, URI uri) {
            super(method, uri);
            setResponse(new MockClientHttpResponse(new byte[0], HttpStatus.OK));
        }

        @Override
        public void setBody(Body body) {}
    }

    private Sent request(HttpMethod method, URI uri) {
        Sent request = new Sent(method, uri);
        sent.add(request);
        return request;
    }

    @Test
    void a_body_is_not_read_before_it_is_sent() {
        AtomicInteger reads = new AtomicInteger();
        InputStream body = new ByteArrayInputStream(new byte[100]) {
            @Override
            public synchronized int read(byte[] into, int offset, int length) {
                reads.incrementAndGet();
                return super.read(into, offset, length);
            }
        };
        in(saga(), () -> {
            client.post()
                    .uri(HOTEL)
                    .body(new InputStreamResource(body))
                    .retrieve()
                    .toBodilessEntity();
            template.postForLocation(HOTEL, new InputStreamResource(body));
        });
        assertThat(sent).hasSize(2).allMatch(each -> "saga-1".equals(header(each, SagaHeaders.SAGA)));
        assertThat(reads).hasValue(0);
    }

    @Test
    void a_query_does_not_make_another_call_and_a_further_call_does() {
        List<String> first = calls(() -> {
            get("http://hotel/rooms?nonce=1");
            get("http://hotel/rooms?nonce=2");
            get("http://hotel/suites");
            get("http://motel/rooms");
        });
        assertThat(first).doesNotHaveDuplicates();
        assertThat(calls(() -> {
                    get("http://motel/rooms");
                    get("http://hotel/suites");
                    get("http://hotel/rooms?nonce=3");
                    get("http://hotel/rooms?nonce=4");
                }))
                .containsExactlyInAnyOrderElementsOf(first);
    }

    @Test
    void other_clients_send_the_same_headers() {
        List<String> named = calls(() -> get("http://hotel/rooms"));
        in(
                saga(),
                () -> assertThat(SagaHeaders.forCall("GET", URI.create("http://hotel/rooms")))
                        .isEqualTo(Map.of(
                                SagaHeaders.SAGA,
                                "saga-1",
                                SagaHeaders.BRANCH,
                                "saga-1",
                                SagaHeaders.CALL,
                                named.get(0))));
        assertThat(SagaHeaders.forCall("GET", HOTEL)).isEmpty();
    }

    @Test
    void a_key_names_the_call_and_is_not_sent() {
        List<String> named = calls(() -> {
            for (String key : List.of("a", "b", "a")) {
                client.get().uri(HOTEL).header(SagaHeaders.KEY, key).retrieve().toBodilessEntity();
            }
        });
        assertThat(named.get(2)).isEqualTo(named.get(0)).isNotEqualTo(named.get(1));
        assertThat(sent).allMatch(each -> header(each, SagaHeaders.KEY).equals("none"));
    }

    @Test
    void what_a_callback_calls_is_in_no_saga_whatever_was_copied() {
        in(
                SagaContext.ofCallback("saga-1", "branch-1", ""),
                () -> client.get()
                        .uri(HOTEL)
                        .header(SagaHeaders.SAGA, "saga-1")
                        .header(SagaHeaders.BRANCH, "branch-1")
                        .header(SagaHeaders.CALL, "call-1")
                        .retrieve()
                        .toBodilessEntity());
        for (String name : List.of(SagaHeaders.SAGA, SagaHeaders.BRANCH, SagaHeaders.CALL)) {
            assertThat(header(sent.get(0), name)).isEqualTo("none");
        }
    }

    private void get(String uri) {
        client.get().uri(URI.create(uri)).retrieve().toBodilessEntity();
    }

    /** The names of the calls made at the top of the saga. */
    private List<String> calls(Runnable business) {
        sent.clear();
        in(saga(), business);
        return sent.stream().map(each -> header(each, SagaHeaders.CALL)).toList();
    }

    private static String header(Sent request, String name) {
        List<String> values = request.getHeaders().get(name);
        return values == null ? "none" : values.get(0);
    }

    private static SagaContext saga() {
        return SagaContext.begun("saga-1", 0, "", PendingReports.nothing("saga-1"));
    }

    private static void in(SagaContext context, Runnable business) {
        SagaContext.Scope scope = context.open();
        try {
            business.run();
        } finally {
            scope.close();
        }
    }
}
