package io.alphaomega.omega.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.test.autoconfigure.web.reactive.AutoConfigureWebTestClient;
import org.springframework.boot.test.autoconfigure.web.servlet.AutoConfigureMockMvc;

/** What tests use of Spring Boot 3 that is elsewhere in Boot 4. */
final class BootUnderTest {
    private BootUnderTest() {}

    /** Calls the web layer without a server. */
    @Retention(RetentionPolicy.RUNTIME)
    @AutoConfigureMockMvc
    @interface WithMockMvc {}

    /** Calls the web layer of a reactive service without a server. */
    @Retention(RetentionPolicy.RUNTIME)
    @AutoConfigureWebTestClient
    @interface WithWebTestClient {}
}
