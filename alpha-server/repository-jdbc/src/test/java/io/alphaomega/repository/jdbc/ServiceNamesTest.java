package io.alphaomega.repository.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

final class ServiceNamesTest {
    static Set<Set<String>> sets() {
        return Set.of(
                Set.of(),
                Set.of(""),
                Set.of("", "a"),
                Set.of("a"),
                Set.of("a\nb", "a", "b"),
                Set.of("\\n", "\n", "\\", "\\\\n"));
    }

    @ParameterizedTest
    @MethodSource("sets")
    void a_set_is_read_as_it_was_written(Set<String> names) {
        assertThat(ServiceNames.of(ServiceNames.text(names))).isEqualTo(names);
    }
}
