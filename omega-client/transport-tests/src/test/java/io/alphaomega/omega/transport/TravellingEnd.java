package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.test.TestAlpha;
import java.util.UUID;
import java.util.function.Consumer;

/** The end of a branch that comes back with the answer of the call that it was in. */
final class TravellingEnd {
    private TravellingEnd() {}

    /** @param client takes that item from the stock, elsewhere, and waits for the answer */
    static void assertOf(Consumer<String> client, Orders orders, Stock stock, TestAlpha alpha) {
        alpha.reset();
        String item = UUID.randomUUID().toString();
        orders.run(() -> {
            client.accept(item);
            assertThat(alpha.saga().history())
                    .as("nobody has told alpha yet what the answer has brought")
                    .containsOnlyOnce("Stock.take began")
                    .doesNotContain("Stock.take ended");
        });
        assertThat(alpha.saga()).committed().history().contains("Stock.take ended");
        assertThat(stock.taken(item)).isOne();
    }
}
