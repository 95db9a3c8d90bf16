package io.alphaomega.omega.test;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import org.springframework.boot.webmvc.test.autoconfigure.AutoConfigureMockMvc;
import org.springframework.boot.webtestclient.autoconfigure.AutoConfigureWebTestClient;

/** What tests use of Spring Boot 4 that is elsewhere in Boot 3. */
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
