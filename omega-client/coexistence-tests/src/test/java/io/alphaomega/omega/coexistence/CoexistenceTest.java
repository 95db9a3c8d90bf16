package io.alphaomega.omega.coexistence;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * That the starter changes nothing of what a service has without it. Each service has one of Spring Boot's starters, on a
 * class path of its own, and is started twice. What is omega's own may come, and what its libraries bring is listed.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class CoexistenceTest {
    private static final Map<String, String> PROPERTIES = Map.of(
            "spring.application.name", "alone",
            "omega.alpha.addresses", "localhost:1",
            "logging.level.root", "off",
            "spring.main.banner-mode", "off",
            "server.port", "0");

    private final ClassPath classPath = new ClassPath();
    private final Expected expected = Expected.read();
    private final Set<String> seen = ConcurrentHashMap.newKeySet();
    private final Set<String> looked = ConcurrentHashMap.newKeySet();

    /** All, or those that the system property {@code services} names. */
    static List<Service> services() {
        String asked = System.getProperty("services", "");
        return BootUnderTest.services().stream()
                .filter(each -> asked.isEmpty() || List.of(asked.split(",", -1)).contains(each.name()))
                .toList();
    }

    @ParameterizedTest
    @MethodSource("services")
    void a_service_has_with_omega_what_it_has_without(Service service) {
        Map<String, Object> properties = new TreeMap<>(PROPERTIES);
        properties.putAll(service.properties());
        Comparison comparison = Comparison.of(
                Looking.at(classPath.of(service.artifacts()), service.parts(), properties),
                Looking.at(
                        classPath.withOmega(service.artifacts(), BootUnderTest.STARTER), service.parts(), properties));

        assertThat(comparison.changes()).as("what is gone, or otherwise").isSubsetOf(expected.changes());
        if (BootUnderTest.BEANS_ARE_LISTED) {
            assertThat(comparison.additions()).as("what else is new").isSubsetOf(expected.additions());
        }
        assertThat(comparison.order().with())
                .as("the order of configurations")
                .isEqualTo(comparison.order().without());
        seen.addAll(comparison.changes());
        seen.addAll(comparison.additions());
        looked.add(service.name());
    }

    @AfterAll
    void nothing_is_expected_in_vain() {
        if (looked.size() < BootUnderTest.services().size()) return; // One has failed, or only some were asked for.
        assertThat(expected.changes()).isSubsetOf(seen);
        assertThat(expected.additions()).isSubsetOf(seen);
    }
}
