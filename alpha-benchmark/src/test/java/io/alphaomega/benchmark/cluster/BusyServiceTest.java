package io.alphaomega.benchmark.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.benchmark.cluster.ClusterScript.Outcome;
import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service that has far more to compensate than it has threads for, with three alphas on Redis. */
@Tag("processes")
final class BusyServiceTest {
    private static final int NODES = 3;

    /** Histories that are read. */
    private static final int SAMPLE = 200;

    /**
     * Of the pairs of sagas of which one was aborted a fifth of all before the other, at least so many keep that order. What
     * is put off comes back some ten seconds later, so it can only be told where a fifth takes much longer.
     */
    private static final double ORDERED = 0.9;

    private static final double SHARE = 0.8;

    private final ClusterScript cluster = new ClusterScript();
    private final HttpClient http = HttpClient.newHttpClient();

    @AfterEach
    void down() {
        http.close();
        cluster.close();
    }

    @Test
    @Tag("long")
    void a_service_with_more_to_compensate_than_it_has_threads_for_compensates_each_once_and_none_is_suspended() {
        double unused = ordered(new BusyService.Plan(240, Duration.ofMillis(500), 1, Duration.ofSeconds(10)));
    }

    @Tag("long")
    @Test
    void a_service_that_is_busy_for_minutes_compensates_each_once_and_in_order_and_none_is_suspended() {
        assertThat(ordered(new BusyService.Plan(5_000, Duration.ofMillis(500), 4, Duration.ofSeconds(12))))
                .isGreaterThanOrEqualTo(ORDERED);
    }

    /** Has all of them compensated, and tells which part of the pairs kept their order. */
    private double ordered(BusyService.Plan plan) {
        try (BusyService service = new BusyService(plan, nodes())) {
            await().until(() -> service.connections() == NODES);
            // A shard that moves has its callbacks asked for again.
            await().atMost(Patience.LIMIT).until(this::haveShares);
            service.begin();
            service.abort();

            Duration least = Duration.ofMillis((long) (1_000 * plan.sagas() / plan.perSecond()));
            await().atMost(least.multipliedBy(3).plus(Patience.LIMIT))
                    .pollInterval(Duration.ofSeconds(1))
                    .until(() -> count("COMPENSATED") + count("SUSPENDED") == plan.sagas());
            Map<String, Integer> events = eventsOfSome(plan.sagas());
            List<Integer> compensated = service.compensated();
            double ordered = ordered(compensated, plan.sagas() / 5);
            System.out.printf(
                    "== a busy service: %d compensations of %d ms with %d threads, %.1f per second of %.1f possible;"
                            + " %d suspended; %d %% of the pairs a fifth apart in order, rank correlation %.3f;"
                            + " %s in %d histories%n",
                    compensated.size(),
                    plan.work().toMillis(),
                    BusyService.THREADS,
                    service.perSecond(),
                    plan.perSecond(),
                    count("SUSPENDED"),
                    Math.round(100 * ordered),
                    rankCorrelation(compensated),
                    events,
                    SAMPLE);

            assertThat(count("SUSPENDED")).isZero();
            assertThat(compensated).as("each once").hasSize(plan.sagas()).doesNotHaveDuplicates();
            assertThat(events)
                    .as("put off, which counts as nothing, and nothing that counts")
                    .containsEntry("saga.ended.v1", SAMPLE)
                    .containsKey("callback.deferred.v1")
                    .doesNotContainKey("callback.failed.v1");
            return ordered;
        }
    }

    /** Where they take streams. */
    private List<String> nodes() {
        Outcome up = cluster.up("--nodes", Integer.toString(NODES));
        assertThat(up.code()).as(up.out()).isZero();
        return up.out()
                .lines()
                .filter(line -> line.matches("\\d .*"))
                .map(line -> line.split(" +", -1)[1])
                .toList();
    }

    /** Whether each node has its share of the shards, or nearly: no more of them move soon. */
    private boolean haveShares() {
        List<Integer> shards = new ArrayList<>();
        for (JsonNode node : get("/api/v1/nodes").path("nodes")) {
            shards.add(node.path("report").path("shards").asInt(0));
        }
        int all = shards.stream().mapToInt(Integer::intValue).sum();
        return shards.size() == NODES && shards.stream().allMatch(each -> each >= SHARE * all / NODES);
    }

    private long count(String state) {
        return get("/api/v1/counts").path("byState").path(state).asLong(0);
    }

    /** How often each type of event is there in the histories of some sagas that are evenly spread. */
    private Map<String, Integer> eventsOfSome(int sagas) {
        Map<String, Integer> events = new HashMap<>();
        for (int each = 0; each < SAMPLE; each++) {
            JsonNode saga = get("/api/v1/sagas/" + BusyService.saga(each * sagas / SAMPLE));
            for (JsonNode event : saga.path("history"))
                events.merge(event.path("type").asString(""), 1, Integer::sum);
        }
        return events;
    }

    private JsonNode get(String path) {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + cluster.http() + path))
                .build();
        try {
            return JsonMapper.shared()
                    .readTree(http.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new AssertionError("Alpha did not answer " + request + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("Interrupted at " + request + ".", e);
        }
    }

    /** The part of the pairs of sagas so far apart in the order of abort that were compensated in that order. */
    private static double ordered(List<Integer> compensated, int apart) {
        Map<Integer, Integer> places = places(compensated);
        List<Integer> firsts = places.keySet().stream()
                .filter(saga -> places.containsKey(saga + apart))
                .toList();
        long kept = firsts.stream()
                .filter(saga -> places.getOrDefault(saga, 0) < places.getOrDefault(saga + apart, 0))
                .count();
        return (double) kept / firsts.size();
    }

    /** Spearman's, of the order of abort and that of compensation. */
    private static double rankCorrelation(List<Integer> compensated) {
        List<Integer> ranks = new ArrayList<>(places(compensated).keySet());
        double n = ranks.size();
        double squares = IntStream.range(0, ranks.size())
                .mapToDouble(place -> Math.pow(ranks.get(place) - place, 2))
                .sum();
        return 1 - 6 * squares / (n * (n * n - 1));
    }

    /** Of each saga, when it was compensated first, as a number from 0 on. */
    private static Map<Integer, Integer> places(List<Integer> compensated) {
        Map<Integer, Integer> places = new LinkedHashMap<>();
        for (Integer saga : compensated) places.putIfAbsent(saga, places.size());
        return places;
    }
}
