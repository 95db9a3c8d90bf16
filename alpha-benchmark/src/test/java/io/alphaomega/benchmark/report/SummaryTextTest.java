package io.alphaomega.benchmark.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.benchmark.measure.Measurements;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SummaryTextTest {
    @Test
    void a_run_is_told_in_a_screenful() {
        assertThat(SummaryText.of(Samples.closedLoop("redis everysec"))).isEqualTo("""
                        redis everysec
                          20,000 sagas of 3 branches, 200 at a time, 3 services over 3 streams, after 10 s of warm-up, against alpha 1.0.0 with the store redis (appendonly=yes appendfsync=everysec maxmemory-policy=noeviction).

                          1,000 sagas/s: 20,000 ended in 20.0 s
                          20,000 started = 19,000 committed + 1,000 compensated + 0 suspended + 0 unknown; 0 failed to begin; 0 errors

                          ms                   mean    p50    p90   p99  p99.9   max
                          saga, begin to end   3.41   2.66   5.89  15.7   27.1  50.6
                          acknowledgement     0.410  0.321  0.713  1.90   3.39  7.58

                          CPU          ms per saga  cores in use   memory
                          alpha              0.852         0.852  612 MiB
                          store              0.218         0.218  870 MiB
                          generator          0.620         0.620  298 MiB
                          coordinator         1.07

                          The generator was not the bottleneck: it used 0.620 of 2 cores, and its busiest thread was busy 41 % of the time.
                          Verified: what was counted, what alpha stored and what the services saw agree.
                        """);
    }

    @Test
    void each_of_several_alphas_has_a_row() {
        Findings found = Samples.found(Samples.measured(20, false), Samples.AGREES, List.of());
        Report report = Report.of(
                null,
                new Report.Setup(
                        Samples.BEGIN,
                        "run",
                        Samples.PLAN,
                        Samples.MACHINE,
                        List.of(Samples.ALPHA, AlphaNode.unknown("127.0.0.1:8190", "It is away."))),
                found,
                List.of());
        assertThat(SummaryText.of(report)).contains("""
                          node            CPU ms per saga  cores in use   memory
                          127.0.0.1:8090            0.568         0.568  612 MiB
                          127.0.0.1:8190            0.284         0.284        -
                        """);
    }

    @Test
    void what_is_wrong_is_said_last_where_nobody_overlooks_it() {
        Measurements measured = Samples.measured(2, true);
        Findings found = new Findings(measured, Samples.DIFFERS, List.of(), new CpuUse(List.of()), Map.of());
        assertThat(SummaryText.of(Samples.report(
                        null,
                        Samples.OPEN_PLAN,
                        found,
                        List.of(Threshold.parse("cpu.coordinatorMillisPerSaga<=0.14")))))
                .contains("redis: 3 branches, 5,000 per second", "saga, corrected", "saga, uncorrected")
                .endsWith("""
                          Nobody read how busy the generator was.
                          Alpha's processor time is not known: its /actuator/metrics did not tell it at 127.0.0.1:8090; see --http.
                          Threshold MISSED: cpu.coordinatorMillisPerSaga <= 0.14: found nothing.
                          MISMATCH: alpha counts 3 committed sagas less than </script> the generator
                          NOT VERIFIED: see the mismatches.
                        """);
    }
}
