package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import org.junit.jupiter.api.Test;

/** What is said at start about the names that callbacks had before. */
class AliasStartUpTest {
    static class RenamedShop {
        @Compensable(
                compensationMethod = "undo",
                name = "shop.undo",
                aliases = {"OldShop.undo", "Shop.cancel"})
        public void sell() {}

        /** Shares the compensation, and knows another name of it. */
        @Compensable(
                compensationMethod = "undo",
                name = "shop.undo",
                aliases = {"OldShop.undo", "Kiosk.undo"})
        public void give() {}

        public void undo() {}

        @AfterCommit(value = "AliasStartUpTest.RenamedShop.sell", name = "shop.thank", aliases = "OldShop.thank")
        public void thank() {}
    }

    @Test
    void a_callback_is_offered_under_the_names_that_it_had_before_too() {
        Applications.plain().withBean(RenamedShop.class).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(context.getBean(OfferedCallbacks.class).names())
                    .containsExactly(
                            "Kiosk.undo", "OldShop.thank", "OldShop.undo", "Shop.cancel", "shop.thank", "shop.undo");
        });
    }

    static class OldShop {
        @Compensable(compensationMethod = "undo", name = "OldShop.undo")
        public void sell() {}

        public void undo() {}
    }

    static class KioskShop {
        @Compensable(compensationMethod = "undo", aliases = "Kiosk.undo")
        public void sell() {}

        public void undo() {}
    }

    static class SameShop {
        @Compensable(compensationMethod = "undo", name = "shop.undo", aliases = "shop.undo")
        public void sell() {}

        public void undo() {}
    }

    static class BlankShop {
        @Compensable(compensationMethod = "undo", aliases = " ")
        public void sell() {}

        public void undo() {}
    }

    @Test
    void an_alias_that_is_the_name_or_an_alias_of_another_callback_is_refused() {
        refused("Two callbacks are named 'OldShop.undo'", RenamedShop.class, OldShop.class);
        refused("Two callbacks are named 'OldShop.undo'", OldShop.class, RenamedShop.class);
        refused("Two callbacks are named 'Kiosk.undo'", RenamedShop.class, KioskShop.class);
    }

    @Test
    void an_alias_that_says_nothing_is_refused() {
        refused("is the name of that callback, or comes twice", SameShop.class);
        refused("must have 1 to 256 characters", BlankShop.class);
    }

    private static void refused(String sentence, Class<?>... shops) {
        var runner = Applications.plain();
        for (Class<?> shop : shops) runner = runner.withBean(shop);
        runner.run(context -> assertRefused(context, sentence));
    }
}
