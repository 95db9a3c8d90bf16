package io.alphaomega.omega.test.everyday;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** The test of docs/everyday.md. */
@SpringBootTest
@OmegaTest
class OrderTest {
    @Autowired
    OrderService orders;

    @Autowired
    TestAlpha alpha;

    @Test
    void an_order_that_nobody_can_pay_is_taken_back() {
        alpha.fail("Cashier.charge");

        assertThatThrownBy(() -> orders.place("order-7"));

        assertThat(alpha.saga()).compensated("StockDesk.reserve");
    }
}
