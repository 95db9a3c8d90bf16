package io.alphaomega.omega.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.omega.AlphaUnavailableException;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** What a service does while there is no alpha. Its begins wait for two seconds of real time. */
@SpringBootTest(classes = Travel.class, properties = "omega.begin-timeout=2s")
@OmegaTest
class AwayTest {
    @Autowired
    private Trips trips;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @Test
    void without_an_alpha_nothing_runs() {
        alpha.goAway();

        assertThatExceptionOfType(AlphaUnavailableException.class).isThrownBy(() -> trips.book("Ada"));
        assertThat(ledger.all()).isEmpty();

        alpha.comeBack();
        alpha.awaitConnected("travel");
        trips.book("Bob");
        assertThat(ledger.all()).containsExactly("room for Bob", "car for Bob");
    }
}
