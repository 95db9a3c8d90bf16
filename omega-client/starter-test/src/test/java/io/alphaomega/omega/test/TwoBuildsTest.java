package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.AlphaStatus;
import io.alphaomega.saga.Suspension;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** Two builds of one service, of which the newer cannot read what the older has written. */
class TwoBuildsTest {
    private static final Duration LATER = Duration.ofSeconds(1);

    private final TestAlpha alpha = new TestAlpha();
    private final Cancelled cancelled = new Cancelled(new CopyOnWriteArrayList<>());
    private final List<ConfigurableApplicationContext> instances = new CopyOnWriteArrayList<>();

    /** No list of its own: of a parameter that is one, Spring Boot 3's container makes one of its beans. */
    record Cancelled(List<String> orders) {}

    record Order(String item) {}

    record WiderOrder(String item, int many) {}

    /** What both builds do with an order that they can read. */
    abstract static class Orders {
        private final Cancelled cancelled;

        Orders(Cancelled cancelled) {
            this.cancelled = cancelled;
        }

        void cancelled(String item) {
            cancelled.orders().add(getClass().getSimpleName() + " " + item);
        }
    }

    static class OldOrders extends Orders {
        OldOrders(Cancelled cancelled) {
            super(cancelled);
        }

        @Compensable(name = "orders.cancel", compensationMethod = "cancel", fenced = false)
        public void order(Order order) {}

        public void cancel(Order order) {
            cancelled(order.item());
        }
    }

    static class NewOrders extends Orders {
        NewOrders(Cancelled cancelled) {
            super(cancelled);
        }

        @Compensable(name = "orders.cancel", compensationMethod = "cancel", fenced = false)
        public void order(WiderOrder order) {}

        public void cancel(WiderOrder order) {
            cancelled(order.item());
        }
    }

    static class Shop {
        private final OldOrders orders;

        Shop(OldOrders orders) {
            this.orders = orders;
        }

        @SagaStart
        public void sell(String item) {
            orders.order(new Order(item));
            throw new IllegalStateException("no money");
        }
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import({OldOrders.class, Shop.class})
    static class Old {}

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @OmegaTest
    @Import(NewOrders.class)
    static class New {}

    private ConfigurableApplicationContext start(Class<?> build) {
        ConfigurableApplicationContext instance = new SpringApplicationBuilder(build)
                .web(WebApplicationType.NONE)
                .initializers(context -> {
                    context.getBeanFactory().registerSingleton("alpha", alpha);
                    context.getBeanFactory().registerSingleton("cancelled", cancelled);
                })
                .run("--spring.application.name=shop", "--omega.compensable.outside=run");
        instances.add(instance);
        await().until(() -> instance.getBean(AlphaClient.class).status().stream()
                .anyMatch(alpha -> alpha.state() == AlphaStatus.State.CONNECTED));
        return instance;
    }

    /** Its compensation is asked for {@link #LATER}. */
    private void sellInVain(ConfigurableApplicationContext old) {
        alpha.delay("orders.cancel", LATER);
        assertThatThrownBy(() -> old.getBean(Shop.class).sell("book")).hasMessageContaining("no money");
    }

    @AfterEach
    void stop() {
        instances.forEach(ConfigurableApplicationContext::close);
        alpha.close();
    }

    @Test
    void another_instance_of_the_build_that_ran_a_branch_undoes_it() {
        ConfigurableApplicationContext old = start(Old.class);
        start(New.class);
        start(Old.class);
        sellInVain(old);
        old.close();

        alpha.advance(LATER);

        assertThat(alpha.saga()).compensated("TwoBuildsTest.OldOrders.order");
        assertThat(cancelled.orders()).containsExactly("OldOrders book");
    }

    @Test
    void what_the_newer_build_cannot_read_waits_for_one_that_can_and_then_goes_on_by_itself() {
        ConfigurableApplicationContext old = start(Old.class);
        start(New.class);
        sellInVain(old);
        old.close();

        alpha.advance(LATER);
        assertThat(alpha.saga()).suspended();
        assertThat(alpha.saga().suspension().orElseThrow().reason()).isEqualTo(Suspension.Reason.UNDECODABLE);
        assertThat(alpha.saga().history())
                .anyMatch(
                        line -> line.contains(" of its service cannot, another is asked: ") && line.contains("'many'"));

        start(Old.class);

        alpha.awaitSagas(1);
        alpha.advance(Duration.ZERO);
        assertThat(alpha.saga()).compensated("TwoBuildsTest.OldOrders.order");
        assertThat(cancelled.orders()).containsExactly("OldOrders book");
    }
}
