package io.alphaomega.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.jdbc.embedded.EmbeddedRepository;
import io.alphaomega.server.AlphaProcess;
import io.alphaomega.server.console.Browser.Width;
import io.alphaomega.server.http.WrittenSaga;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.Keys;

/** An order for very many sagas, in a real browser. */
@Tag("long")
class BulkOrderBrowserTest {
    private static final int SAGAS = 10_000;

    @TempDir
    private Path directory;

    private AlphaProcess alpha;
    private Browser browser;

    @BeforeEach
    void start() {
        Instant now = Clock.systemUTC().instant().truncatedTo(ChronoUnit.MILLIS).minusSeconds(90);
        try (SagaRepository store = EmbeddedRepository.in(directory.resolve("data"))) {
            WrittenSaga.write(
                    store,
                    IntStream.range(0, SAGAS)
                            .mapToObj(i -> new WrittenSaga(store, "many-" + i, now)
                                    .holding()
                                    .suspended("", "ferry"))
                            .toList());
        }
        alpha = AlphaProcess.start(directory).awaitReady();
        await().until(() -> alpha.get("/api/v1/stuck").body().contains("\"count\":" + SAGAS));
        browser = new Browser(alpha.httpAddress());
    }

    @AfterEach
    void stop() {
        if (browser != null) browser.close();
        if (alpha != null) alpha.close();
    }

    @Test
    void thousands_of_sagas_are_retried_by_one_order_and_the_page_shows_how_far_it_is() {
        browser.width(Width.WIDE).open("/stuck?reason=SUSPENDED&service=ferry");
        assertThat(browser.text("#bulk-form")).contains("Retry all 10,000 of them");
        browser.keep("stuck-bulk-wide");
        browser.width(Width.WIDE).open("/stuck?reason=SUSPENDED&service=ferry");
        browser.write("#bulk-form input[name=who]", "ann");
        browser.write("#bulk-form input[name=perSecond]", "1000");
        browser.write("#bulk-form input[name=reason]", "the ferry is back", Keys.ENTER);

        // On the way, or over if nobody has looked before that.
        await().untilAsserted(
                        () -> assertThat(browser.text(".bulk")).containsPattern("[1-9][\\d,]* done · [\\d,]+ left"));
        browser.keep("stuck-bulk-running-wide");
        await().untilAsserted(() -> assertThat(browser.text(".bulk"))
                .contains("done", "ann", "the ferry is back", "10,000 done · 0 left")
                .doesNotContain("Cancel", "refused"));
        await().untilAsserted(() -> assertThat(browser.has("#bulk-form")).isFalse());
        assertThat(alpha.get("/api/v1/stuck").body())
                .doesNotContain("\"reason\":\"SUSPENDED\",\"detail\":\"UNDECODABLE\",\"service\":\"ferry\"");
        browser.isContent();
    }
}
