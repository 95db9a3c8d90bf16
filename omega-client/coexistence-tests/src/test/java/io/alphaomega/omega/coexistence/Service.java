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
    private static final String STARTER = "org.springframework.boot:spring-boot-starter-";

    /** With one of Spring Boot's starters, all of it alone. */
    static Service of(String starter) {
        return new Service(starter, List.of(STARTER + starter), List.of("Plain"), Map.of());
    }

    /** Without a starter of its own: Spring Boot configures what it finds. */
    static Service plain(String name) {
        return new Service(name, List.of("org.springframework.boot:spring-boot-starter"), List.of("Plain"), Map.of());
    }

    Service andStarter(String starter) {
        return and(STARTER + starter);
    }

    /** With what the starter leaves to be chosen, such as a driver. */
    Service and(String... more) {
        return new Service(
                name, Stream.concat(artifacts.stream(), Stream.of(more)).toList(), parts, properties);
    }

    Service doing(String what) {
        return new Service(name, artifacts, List.of("Plain", what), properties);
    }

    Service with(String property, String value) {
        return new Service(name, artifacts, parts, Map.of(property, value));
    }

    @Override
    public String toString() {
        return name;
    }
}
