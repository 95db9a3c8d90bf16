package io.alphaomega.benchmark.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import org.junit.jupiter.api.Test;

final class RateSearchTest {
    private static double found(double from, double limit) {
        RateSearch search = new RateSearch(from, 100_000, 0.02);
        while (!search.isOver()) search.tell(search.next() <= limit);
        return search.kept();
    }

    @Test
    void the_limit_is_found_from_below_and_from_above() {
        assertThat(found(100, 4_321)).isCloseTo(4_321, withinPercentage(2)).isLessThanOrEqualTo(4_321);
        assertThat(found(50_000, 4_321)).isCloseTo(4_321, withinPercentage(2)).isLessThanOrEqualTo(4_321);
    }

    @Test
    void it_ends_where_there_is_no_limit_and_where_nothing_is_kept() {
        assertThat(found(100, Double.MAX_VALUE)).isEqualTo(100_000);
        assertThat(found(100, 0)).isZero();
    }

    @Test
    void nonsense_is_refused() {
        assertThatThrownBy(() -> new RateSearch(10, 5, 0.1)).hasMessageStartingWith("--from must be");
        assertThatThrownBy(() -> new RateSearch(10, 50, 0)).hasMessageStartingWith("--precision must be");
    }
}
