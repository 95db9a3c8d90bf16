package io.alphaomega.omega.spring.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.Applications;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ServiceNameTest {
    @Test
    void a_name_that_the_locale_has_spoilt_keeps_the_service_from_starting() {
        Applications.plain()
                .withPropertyValues("spring.application.name=M\ufffd\ufffdllerei")
                .run(context -> Applications.assertRefused(
                        context,
                        "spring.application.name is 'M\ufffd\ufffdllerei', which is not what was said: Java decodes arguments"
                                + " and variables by the locale"));
    }

    @ParameterizedTest
    @CsvSource({
        "Müllerei, UTF-8, true",
        "muellerei, ANSI_X3.4-1968, true",
        "MÃ¼llerei, ISO-8859-1, false",
        "Müllerei, ISO-8859-15, false",
    })
    void a_name_of_the_command_line_or_the_environment_is_what_was_said_by_utf_8_or_in_ascii(
            String name, String encoding, boolean decoded) {
        assertThat(ServiceName.isDecoded(name, encoding)).isEqualTo(decoded);
    }
}
