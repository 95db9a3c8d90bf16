package io.alphaomega.benchmark.preset;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
final class DtmTableTest {
    private static final DtmPlan PLAN =
            new DtmPlan(List.of("127.0.0.1:8071"), null, 20, 3, Duration.ofSeconds(2), Duration.ZERO);
    private static final BusinessWork SAGA = new BusinessWork(2, true, true);

    private static Measured measured(BusinessWork work, int round, long done) {
        return new Measured(work, round, 2, done, 2 * done, 8 * done, 1.0 * done);
    }

    @Test
    void a_row_has_the_medians_of_its_rounds_and_what_is_kept_of_the_same_business_without_a_coordinator() {
        DtmTable table = new DtmTable(new DtmRun.Result(
                PLAN,
                "",
                List.of(
                        measured(SAGA.bare(), 1, 4_000),
                        measured(SAGA, 1, 1_500),
                        measured(SAGA.bare(), 2, 100),
                        measured(SAGA, 2, 3_000),
                        measured(SAGA.bare(), 3, 5_000),
                        measured(SAGA, 3, 9_000)),
                List.of()));

        assertThat(table.lines())
                .containsExactly(
                        new DtmTable.Line(SAGA.bare(), 2_000, 4_000, 16_000, Double.NaN, 1),
                        new DtmTable.Line(SAGA, 1_500, 3_000, 12_000, 0.75, 1));
        assertThat(table.text())
                .contains("| 2 SQL + fence          |      1,500 |   3,000 |  12,000 | 0.75 |             1.00 |");
    }
}
