package io.alphaomega.omega.coexistence;

import java.util.List;

/** What is elsewhere in Spring Boot 3. */
final class BootUnderTest {
    /** The module of omega's starter. */
    static final String STARTER = "starter";

    private BootUnderTest() {}

    static List<Service> services() {
        return List.of(
                Service.of("jdbc").and("com.h2database:h2").doing("Plain", "Blocking"),
                Service.of("data-r2dbc").and("io.r2dbc:r2dbc-h2").doing("Plain", "Reactive"));
    }
}
