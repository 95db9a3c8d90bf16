package io.alphaomega.omega.coexistence;

import java.util.List;
import java.util.stream.Stream;

/** What is elsewhere in Spring Boot 3. */
final class BootUnderTest {
    /** The module of omega's starter. */
    static final String STARTER = "starter";

    /** What a library brings may be configured by a jar that was not there. */
    static final boolean BEANS_ARE_LISTED = true;

    private static final String H2 = "com.h2database:h2";

    /** Without it Hibernate's manager does not load. */
    private static final String VALIDATION = "jakarta.validation:jakarta.validation-api";

    private BootUnderTest() {}

    static List<Service> services() {
        return Stream.of(databases(), web(), messages(), others())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Service> databases() {
        return List.of(
                Service.of("jdbc").and(H2).doing("Blocking"),
                Service.of("data-jdbc").and(H2).doing("Blocking"),
                Service.of("data-jpa").and(H2, VALIDATION).doing("Blocking"),
                Service.of("jooq").and(H2).doing("Blocking"),
                Service.of("data-r2dbc").and("io.r2dbc:r2dbc-h2").doing("Reactive"),
                Service.of("data-redis"),
                Service.of("data-redis-reactive"),
                Service.of("data-mongodb"),
                Service.of("data-mongodb-reactive"),
                Service.of("elasticsearch"));
    }

    private static List<Service> web() {
        return List.of(
                Service.of("webmvc").doing("Serving"),
                Service.of("webflux").doing("Serving"),
                Service.of("restclient").doing("Calling"),
                Service.of("webclient"),
                Service.of("graphql").andStarter("webmvc").doing("Serving"),
                Service.of("websocket").doing("Serving"),
                Service.of("security").andStarter("webmvc").doing("Serving"),
                Service.of("actuator").andStarter("webmvc").doing("Serving"));
    }

    private static List<Service> messages() {
        return List.of(Service.of("amqp"), Service.of("kafka"), Service.of("artemis"), Service.of("integration"));
    }

    private static List<Service> others() {
        return List.of(
                Service.of("batch"),
                Service.of("batch-jdbc").and(H2).doing("Blocking"),
                Service.of("quartz"),
                Service.of("cache"),
                Service.of("mail").with("spring.mail.host", "localhost"),
                Service.of("validation"));
    }
}
