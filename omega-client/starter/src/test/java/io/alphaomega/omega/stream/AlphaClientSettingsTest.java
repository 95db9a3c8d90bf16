package io.alphaomega.omega.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class AlphaClientSettingsTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha:8071",
                "127.0.0.1:1",
                "[::1]:8071",
                "[fe80::1%eth0]:8071",
                " alpha.example.org:65535 ",
                "stack_alpha:8071",
                "stack_alpha.internal:8071",
                "alpha-:8071",
                "alpha.1a:8071"
            })
    void an_address_is_a_host_and_a_port(String address) {
        assertThat(AlphaAddress.parse(address)).hasToString(address.trim());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "alpha",
                ":8071",
                "alpha:",
                "alpha:x",
                "alpha:0",
                "alpha:65536",
                "::1",
                "http://alpha:80",
                "ann@alpha:8071",
                "alpha?x:8071",
                "al pha:8071",
                "münchen:8071",
                "[alpha]:8071"
            })
    void what_is_no_address_is_refused_by_the_name_of_its_property(String address) {
        assertThatThrownBy(() -> AlphaClientSettings.of(address))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("omega.alpha.addresses")
                .hasMessageContaining("'" + address + "'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"stack_alpha", "alpha.", "stack_alpha.internal"})
    void a_name_that_no_certificate_can_be_for_is_refused_with_tls_unless_another_is_compared(String host) {
        AlphaClientSettings plain = AlphaClientSettings.of("alpha:8071", host + ":8071");
        assertThatThrownBy(() -> plain.withTls(() -> tls("")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("omega.alpha.addresses has the host '" + host + "'")
                .hasMessageContaining("omega.alpha.ssl.server-name");

        assertThat(plain.withTls(() -> tls("alpha.example.org")).addresses()).hasSize(2);
        assertThat(AlphaClientSettings.of("alpha:1", "127.0.0.1:1", "[::1]:1")
                        .withTls(() -> tls(""))
                        .addresses())
                .hasSize(3);
    }

    private static AlphaTls tls(String serverName) {
        try {
            return AlphaTls.of("Java", "TLS", null, new TrustManager[0], List.of(), List.of(), serverName);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void nonsense_is_refused_by_the_name_of_its_property() {
        assertThatThrownBy(AlphaClientSettings::of).hasMessageContaining("omega.alpha.addresses");
        Duration ok = Duration.ofSeconds(1);
        assertThatThrownBy(() -> settings(Duration.ZERO, ok, ok, 1, 1, ok)).hasMessageContaining("omega.ack-timeout");
        assertThatThrownBy(() -> settings(ok, ok.negated(), ok, 1, 1, ok))
                .hasMessageContaining("omega.alpha.connect-timeout");
        assertThatThrownBy(() -> settings(ok, ok, Duration.ofDays(1), 1, 1, ok))
                .hasMessageContaining("omega.alpha.reconnect-delay-max");
        assertThatThrownBy(() -> settings(ok, ok, ok, 0, 1, ok))
                .hasMessageContaining("omega.alpha.unanswered-inputs must be from 1 to 65536 but is 0");
        assertThatThrownBy(() -> settings(ok, ok, ok, 1, 0, ok)).hasMessageContaining("omega.callback.threads");
        assertThatThrownBy(() -> settings(ok, ok, ok, 1, 1, Duration.ZERO)).hasMessageContaining("omega.drain-timeout");
    }

    private static AlphaClientSettings settings(
            Duration ack, Duration connect, Duration reconnect, int unanswered, int threads, Duration drain) {
        return new AlphaClientSettings(List.of("alpha:1"), ack, connect, reconnect, unanswered, threads, drain);
    }
}
