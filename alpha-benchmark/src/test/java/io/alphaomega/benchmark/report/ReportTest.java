package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.OutcomeCounts;
import java.util.List;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The JSON report and the forms beside it. */
class ReportTest {
    private final JsonNode json =
            Report.JSON.readTree(Samples.closedLoop("redis everysec").json());

    @Test
    void the_json_has_the_fields_that_others_rely_on() {
        assertThat(json.at("/sagas").propertyNames())
                .containsExactly("started", "committed", "compensated", "suspended", "unknown", "failed");
        assertThat(json.at("/seconds").asDouble()).isEqualTo(20);
        assertThat(json.at("/throughput").asDouble()).isEqualTo(1_000);
        for (String latency : List.of("/ackMillis", "/sagaMillis")) {
            assertThat(json.at(latency).propertyNames()).contains("p50", "p90", "p99", "p999", "max");
        }
        assertThat(json.at("/cpu").propertyNames())
                .contains(
                        "alphaMillisPerSaga",
                        "storeMillisPerSaga",
                        "coordinatorMillisPerSaga",
                        "generatorMillisPerSaga");
        assertThat(json.at("/verified").asBoolean()).isTrue();
        assertThat(json.at("/label").asString()).isEqualTo("redis everysec");
    }

    @Test
    void processor_time_is_what_was_used_between_the_first_reading_and_the_last_by_ended_saga() {
        JsonNode cpu = json.at("/cpu");
        assertThat(cpu.at("/alphaMillisPerSaga").asDouble()).isBetween(0.83, 0.87);
        assertThat(cpu.at("/coordinatorMillisPerSaga").asDouble())
                .isCloseTo(
                        cpu.at("/alphaMillisPerSaga").asDouble()
                                + cpu.at("/storeMillisPerSaga").asDouble(),
                        org.assertj.core.data.Offset.offset(1e-6));
        assertThat(cpu.at("/generatorMillisPerSaga").asDouble()).isEqualTo(0.62);
        assertThat(json.at("/series/7/alphaCores").asDouble()).isBetween(0.75, 0.95);
    }

    @Test
    void what_could_not_be_read_is_null_and_not_zero() {
        Findings unread =
                new Findings(Samples.measured(2, false), Samples.AGREES, List.of(), new CpuUse(List.of()), Map.of());
        JsonNode cpu = Report.JSON
                .readTree(Samples.report(null, Samples.PLAN, unread, List.of()).json())
                .at("/cpu");
        assertThat(cpu.at("/alphaMillisPerSaga").isNull()).isTrue();
        assertThat(cpu.at("/coordinatorMillisPerSaga").isNull()).isTrue();
    }

    @Test
    void the_embedded_store_costs_nothing_beside_alpha() {
        Cpu cpu = Cpu.of(List.of(new Cpu.Role(Cpu.ALPHA, 1, 1, 0.2, null)), true);
        assertThat(cpu.storeMillisPerSaga()).isZero();
        assertThat(cpu.coordinatorMillisPerSaga()).isEqualTo(0.2);
    }

    @Test
    void percentiles_of_several_machines_are_those_of_all_their_values_together() {
        Measurements quick = Samples.measured(10, false);
        Measurements slow = measured(100, 50_000);
        Report merged = Samples.report(
                null,
                Samples.PLAN,
                Samples.found(quick.merge(slow), Samples.AGREES, List.of(Report.Agent.of("one", quick))),
                List.of());
        // 100 of 10,100 values are slow: they are the last hundredth, and a mean of two p99 would be 25 ms.
        assertThat(merged.sagaMillis().p99()).isLessThan(60);
        assertThat(merged.sagaMillis().p999()).isBetween(49.9, 50.1);
        assertThat(merged.sagaMillis().p90()).isLessThan(10);
    }

    private static Measurements measured(int sagas, long micros) {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(micros, sagas);
        var latency = io.alphaomega.benchmark.measure.Latency.of(histogram);
        return new Measurements(
                new OutcomeCounts(sagas, sagas, 0, 0, 0, 0),
                latency,
                latency,
                io.alphaomega.benchmark.measure.Latency.NONE,
                List.of(),
                Samples.BEGIN,
                Samples.BEGIN.plusSeconds(10),
                0,
                1);
    }

    @Test
    void a_run_that_does_not_agree_with_alpha_ends_with_3_and_one_that_missed_a_threshold_with_2() {
        Findings agrees = Samples.found(Samples.measured(2, false), Samples.AGREES, List.of());
        Findings differs = Samples.found(Samples.measured(2, false), Samples.DIFFERS, List.of());
        List<Threshold> met = List.of(Threshold.parse("throughput>=1000"));
        List<Threshold> missed = List.of(Threshold.parse("sagaMillis.p99<0.1"));
        assertThat(Samples.report(null, Samples.PLAN, agrees, met).exitCode()).isZero();
        assertThat(Samples.report(null, Samples.PLAN, agrees, missed).exitCode())
                .isEqualTo(2);
        assertThat(Samples.report(null, Samples.PLAN, differs, missed).exitCode())
                .isEqualTo(3);
    }

    @Test
    void a_run_of_which_nothing_was_compared_is_not_verified() {
        var nothing = new io.alphaomega.benchmark.measure.Verification(List.of(), List.of());
        Findings found = Samples.found(Samples.measured(2, false), nothing, List.of());
        Report report = Samples.report(null, Samples.PLAN, found, List.of());
        assertThat(report.verified()).isFalse();
        assertThat(report.exitCode()).isEqualTo(3);
    }

    @Test
    void the_command_is_told_as_typed_without_secrets() {
        assertThat(CommandText.of(
                        List.of("run", "-c", "20", "--threshold", "throughput>1", "--token", "abc", "--label=a b")))
                .isEqualTo("alpha-benchmark run -c 20 --threshold 'throughput>1' --token *** '--label=a b'");
        assertThat(CommandText.of(List.of("--token=abc", "--token-file", "t")))
                .doesNotContain("abc")
                .endsWith("--token-file t");
    }

    @Test
    void the_csv_has_a_line_per_second() {
        assertThat(Csv.of(Samples.closedLoop(null)).lines())
                .hasSize(21)
                .first()
                .isEqualTo(
                        "second,started,ended,errors,saga_p50_ms,saga_p99_ms,ack_p50_ms,ack_p99_ms,alpha_cores,store_cores,generator_cores");
        assertThat(Csv.of(Samples.closedLoop(null)).lines().skip(1)).allMatch(line -> line.split(",").length == 11);
    }
}
