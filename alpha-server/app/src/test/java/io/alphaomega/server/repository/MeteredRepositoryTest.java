package io.alphaomega.server.repository;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.kit.AsyncAppending;
import io.alphaomega.saga.SagaId;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

class MeteredRepositoryTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final GatedRepository store = new GatedRepository();
    private final MeteredRepository metered = new MeteredRepository(store, registry);

    @Test
    void appends_are_timed_and_counted_by_batch() {
        store.gate.release(2);
        metered.append(List.of(GatedRepository.append("a", 100), GatedRepository.append("b", 200)));
        metered.append(List.of(GatedRepository.append("a", 50)));

        assertThat(timed("append", "ok")).isEqualTo(2);
        assertThat(timed("append", "failed")).isZero();
        assertThat(registry.get("alpha.repository.batch.items").summary().totalAmount())
                .isEqualTo(3);
        assertThat(registry.get("alpha.repository.batch.bytes").summary().max()).isEqualTo(300);
        assertThat(registry.get("alpha.repository.conflicts").counter().count()).isEqualTo(1);
    }

    @Test
    void appends_on_an_event_loop_are_measured_alike() {
        GatedRepository onLoop = new GatedRepository(true);
        onLoop.gate.release(3);
        try (SagaRepository measured = new AsyncAppending(new MeteredRepository(onLoop, registry))) {
            measured.append(List.of(GatedRepository.append("a", 100), GatedRepository.append("b", 200)));
            measured.append(List.of(GatedRepository.append("a", 50)));
            onLoop.answer = results -> {
                throw new RepositoryUnavailableException("gone");
            };
            List<Append> lost = List.of(GatedRepository.append("c"));
            assertThatExceptionOfType(RepositoryUnavailableException.class).isThrownBy(() -> measured.append(lost));
        }

        assertThat(timed("append", "ok")).isEqualTo(2);
        assertThat(timed("append", "failed")).isEqualTo(1);
        assertThat(registry.get("alpha.repository.batch.items").summary().totalAmount())
                .isEqualTo(4);
        assertThat(registry.get("alpha.repository.conflicts").counter().count()).isEqualTo(1);
    }

    @Test
    void the_sizes_of_batches_are_a_histogram_that_prometheus_can_read() {
        PrometheusMeterRegistry prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        store.gate.release(2);
        MeteredRepository scraped = new MeteredRepository(store, prometheus);
        scraped.append(List.of(GatedRepository.append("a", 100)));
        scraped.append(
                List.of(GatedRepository.append("b", 100), GatedRepository.append("c"), GatedRepository.append("d")));

        assertThat(prometheus.scrape())
                .contains(
                        "alpha_repository_batch_items_bucket{le=\"1.0\"} 1",
                        "alpha_repository_batch_items_bucket{le=\"2.0\"} 1",
                        "alpha_repository_batch_items_bucket{le=\"4.0\"} 2",
                        "alpha_repository_batch_items_count 2",
                        "alpha_repository_batch_items_sum 4.0",
                        "alpha_repository_batch_bytes_bucket{le=\"256.0\"} 2");
    }

    @Test
    void a_failure_is_timed_as_one_and_passed_on() {
        store.close();
        assertThatExceptionOfType(RepositoryUnavailableException.class)
                .isThrownBy(() -> metered.load(new SagaId("s1")));
        assertThat(timed("load", "failed")).isEqualTo(1);
        assertThat(timed("load", "ok")).isZero();
    }

    @Test
    void every_operation_has_its_timers_from_the_start() {
        for (String operation : List.of("append", "load", "due", "find", "counts", "purge")) {
            assertThat(timed(operation, "ok")).as(operation).isZero();
        }
    }

    @Test
    void the_queue_is_gauged() {
        GroupCommit commits = new GroupCommit(store, GroupCommit.Limits.ofLanes(1));
        new GroupCommitMeters(commits).bindTo(registry);
        assertThat(registry.get("alpha.repository.queue.items").gauge().value()).isZero();
        assertThat(registry.get("alpha.repository.queue.bytes").gauge().value()).isZero();
        assertThat(registry.get("alpha.repository.queue.wait").timeGauge().value())
                .isZero();
        for (String saga : List.of("new", "running")) {
            for (String because : List.of("full", "away")) {
                assertThat(registry.get("alpha.repository.refused")
                                .tags("saga", saga, "because", because)
                                .functionCounter()
                                .count())
                        .isZero();
            }
        }
        assertThat(registry.get("alpha.repository.away").timeGauge().value()).isZero();
        assertThat(registry.get("alpha.repository.outages").functionCounter().count())
                .isZero();
        commits.close();
    }

    private long timed(String operation, String outcome) {
        return registry.get("alpha.repository." + operation)
                .tag("outcome", outcome)
                .timer()
                .count();
    }
}
