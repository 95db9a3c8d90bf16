package io.alphaomega.omega.coexistence;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A service that is looked at.
 *
 * @param artifacts that its POM would name, beside omega's starter
 * @param parts its own classes, in the package {@code service}
 */
record Service(String name, List<String> artifacts, List<String> parts, Map<String, String> properties) {

    /** With one of Spring Boot's starters, all of it alone. */
    static Service of(String starter) {
        return new Service(
                starter, List.of("org.springframework.boot:spring-boot-starter-" + starter), List.of(), Map.of());
    }

    /** With what the starter leaves to be chosen, such as a driver. */
    Service and(String... more) {
        return new Service(
                name, Stream.concat(artifacts.stream(), Stream.of(more)).toList(), parts, properties);
    }

    Service doing(String... what) {
        return new Service(name, artifacts, List.of(what), properties);
    }

    @Override
    public String toString() {
        return name;
    }
}
