package io.alphaomega.benchmark.load;

import io.alphaomega.benchmark.plan.AlphaHosts;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Alpha's REST API and actuator, as far as a measurement needs them. */
public final class AlphaApi implements AutoCloseable {
    /** A listing of a million sagas' counts takes a store a while. */
    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(20);

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(3);
    private static final int NOT_FOUND = 404;
    private static final int OK = 200;
    private static final double NANOS_PER_MILLI = 1e6;

    private final List<String> addresses;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(CONNECT_WITHIN).build();

    public AlphaApi(List<String> addresses) {
        this.addresses = List.copyOf(addresses);
    }

    /** What alpha calls the states of a saga. */
    enum State {
        ACTIVE,
        CONFIRMING,
        COMPENSATING,
        SUSPENDED,
        COMMITTED,
        COMPENSATED
    }

    /** A saga as alpha tells it, with its branches by their ids. */
    record SagaFacts(State state, Map<String, BranchFacts> branches) {}

    /**
     * A branch as alpha tells it.
     *
     * @param forward such as ENDED
     * @param callback what its callback came to, such as COMPENSATION DONE; empty if none was asked
     */
    record BranchFacts(String forward, String callback) {}

    /** Alpha did not answer, or not so that it can be understood. The message is a sentence. */
    public static final class ApiException extends Exception {
        private static final long serialVersionUID = 1;

        private final String sentence;

        ApiException(String sentence) {
            super(sentence);
            this.sentence = sentence;
        }

        @Override
        public String getMessage() {
            return sentence;
        }
    }

    /** How many sagas there are. Any node says the same. */
    Map<State, Long> counts() throws ApiException {
        Map<State, Long> counts = new EnumMap<>(State.class);
        JsonNode byState = ofAny("/api/v1/counts").path("byState");
        for (State state : State.values()) {
            counts.put(state, byState.path(state.name()).asLong(0));
        }
        return counts;
    }

    /** Empty if alpha knows none of that id. */
    Optional<SagaFacts> saga(String id) throws ApiException {
        JsonNode saga = ofAny("/api/v1/sagas/" + id);
        if (saga.isMissingNode()) return Optional.empty();
        Map<String, BranchFacts> branches = new HashMap<>();
        for (JsonNode branch : saga.path("branches")) {
            JsonNode callback = branch.path("callback");
            String kind = callback.path("kind").asString("");
            branches.put(
                    branch.path("id").asString(""),
                    new BranchFacts(
                            branch.path("forward").path("state").asString(""),
                            kind.isEmpty()
                                    ? ""
                                    : kind + " " + callback.path("state").asString("")));
        }
        String state = saga.path("state").asString("");
        try {
            return Optional.of(new SagaFacts(State.valueOf(state), branches));
        } catch (IllegalArgumentException e) {
            throw new ApiException("Alpha says that saga %s is '%s', which is no state.".formatted(id, state));
        }
    }

    /** The processor time that all alphas have used so far, in milliseconds. */
    public double cpuMillis() throws ApiException {
        double nanos = 0;
        for (String address : addresses) {
            nanos += get(address, "/actuator/metrics/process.cpu.time")
                    .path("measurements")
                    .path(0)
                    .path("value")
                    .asDouble(0);
        }
        return nanos / NANOS_PER_MILLI;
    }

    /** From the first that answers; missing if it says that there is no such thing. */
    private JsonNode ofAny(String path) throws ApiException {
        ApiException last = new ApiException("There is no address.");
        for (String address : addresses) {
            try {
                return get(address, path);
            } catch (ApiException e) {
                last = e;
            }
        }
        throw last;
    }

    private JsonNode get(String address, String path) throws ApiException {
        String uri = "http://" + address + path;
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(AlphaHosts.http(address, path))
                            .timeout(ANSWER_WITHIN)
                            .build(),
                    HttpResponse.BodyHandlers.ofString());
            if (response.statusCode() == NOT_FOUND) return JsonMapper.shared().missingNode();
            if (response.statusCode() == OK) return JsonMapper.shared().readTree(response.body());
            throw new ApiException("Alpha answered %s with %d.".formatted(uri, response.statusCode()));
        } catch (ConnectException e) {
            throw new ApiException("Alpha did not answer %s: nothing listens there.".formatted(uri));
        } catch (IOException | JacksonException e) {
            throw new ApiException("Alpha did not answer %s: %s.".formatted(uri, e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ApiException("Interrupted while alpha was asked for " + uri + ".");
        }
    }

    @Override
    public void close() {
        http.close();
    }
}
