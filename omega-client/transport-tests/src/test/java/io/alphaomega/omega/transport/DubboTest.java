package io.alphaomega.omega.transport;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.context.SagaHeaders;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.omega.transport.dubbo.DubboSagas;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.config.MethodConfig;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.ServiceConfig;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.model.ApplicationModel;
import org.apache.dubbo.rpc.model.FrameworkModel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Sagas over Dubbo's protocols and real sockets. */
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"dubbo", "tri"})
@SpringBootTest(classes = CalledShop.class, webEnvironment = SpringBootTest.WebEnvironment.RANDOM_PORT)
@OmegaTest
class DubboTest {
    @Parameter
    @SuppressWarnings("NullAway.Init")
    private String protocol;

    @Autowired
    private Exported exported;

    @Autowired
    private ApplicationModel application;

    @Autowired
    private DubboWarehouse provider;

    @Autowired
    private FrameworkModel others;

    @Autowired
    private DubboSagas sagas;

    @Autowired
    private Orders orders;

    @Autowired
    private Stock stock;

    @Autowired
    private Omega omega;

    @Autowired
    private TestAlpha alpha;

    private final String item = UUID.randomUUID().toString();

    /** The warehouse, and once more as a service has it that knows nothing of omega. */
    record Exported(ServiceConfig<Warehouse> warehouse, ServiceConfig<Warehouse> plain) {}

    static class Services {
        /** For omega and for Dubbo: other tests have others. */
        @Bean(destroyMethod = "destroy")
        static ApplicationModel dubbo() {
            return Dubbo.application(FrameworkModel.defaultModel(), "shop");
        }

        /** For applications that no bean is of. Its end closes the servers of tri, whosever they are. */
        @Bean(destroyMethod = "destroy")
        @Lazy
        static FrameworkModel others() {
            return new FrameworkModel();
        }

        @Bean
        DubboWarehouse warehouse(Stock stock, Omega omega) {
            return new DubboWarehouse(stock, omega);
        }

        @Bean
        @Lazy
        Exported exported(ApplicationModel dubbo, DubboWarehouse provider) {
            Exported exported = new Exported(Dubbo.service(dubbo, provider), Dubbo.service(dubbo, provider));
            exported.plain.setGroup("plain");
            exported.plain.setFilter("-omega");
            Dubbo.export(dubbo, List.of(exported.warehouse, exported.plain));
            return exported;
        }
    }

    @Test
    void a_call_takes_the_saga_along_and_its_answer_brings_the_reports() {
        travels(warehouse()::take);
    }

    @Test
    void the_provider_of_a_future_reports_by_itself() {
        Warehouse warehouse = warehouse();
        orders.run(() -> {
            assertThat(warehouse.takeLater(item).join())
                    .isEqualTo(omega.sagaId().orElseThrow());
            await().until(() -> alpha.saga().history().contains("Stock.take ended"));
        });
        assertThat(alpha.saga()).committed();
        assertThat(stock.taken(item)).isOne();
    }

    /** By tri, whatever the protocol of the others: dubbo has no streams. */
    @Test
    void the_provider_of_a_stream_reports_by_itself() {
        Warehouse warehouse =
                Dubbo.reference(application, exported.warehouse(), "tri").get();
        orders.run(() -> {
            CompletableFuture<String> answered = new CompletableFuture<>();
            warehouse.takeInStream(item, new StreamObserver<>() {
                @Override
                public void onNext(String saga) {
                    answered.complete(saga);
                }

                @Override
                public void onError(Throwable failure) {
                    answered.completeExceptionally(failure);
                }

                @Override
                public void onCompleted() {}
            });
            assertThat(answered.join()).isEqualTo(omega.sagaId().orElseThrow());
            await().until(() -> alpha.saga().history().contains("Stock.take ended"));
        });
        assertThat(alpha.saga()).committed();
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void the_provider_of_a_call_that_fails_reports_by_itself() {
        Warehouse warehouse = warehouse();
        reportsByItself(() -> warehouse.take("broken " + item));
    }

    @Test
    void the_provider_of_a_future_that_fails_reports_by_itself() {
        Warehouse warehouse = warehouse();
        reportsByItself(() -> warehouse.takeLater("broken " + item).join());
    }

    @Test
    void what_the_cluster_sends_again_is_the_same_call() {
        Warehouse warehouse = warehouse(reference -> {
            reference.setRetries(2);
            reference.setFilter("losing");
        });
        orders.run(() -> warehouse.take(item));
        assertThat(provider.calls(item)).isEqualTo(2);
        assertThat(stock.taken(item)).isOne();
        assertThat(alpha.saga()).committed();
    }

    @Test
    void two_calls_are_two_unless_they_have_a_key() {
        Warehouse warehouse = warehouse();
        orders.run(() -> {
            warehouse.take(item);
            for (int times = 0; times < 2; times++) {
                RpcContext.getClientAttachment().setAttachment(SagaHeaders.KEY, "4711");
                warehouse.take(item);
            }
        });
        assertThat(provider.calls(item)).isEqualTo(3);
        assertThat(stock.taken(item)).isEqualTo(2);
    }

    @Test
    void a_reference_without_a_cluster_sends_the_saga_along() {
        travels(warehouseInMesh()::take);
    }

    @Test
    void so_it_does_with_the_key_of_a_call() {
        Warehouse warehouse = warehouseInMesh();
        orders.run(() -> {
            for (int times = 0; times < 2; times++) {
                RpcContext.getClientAttachment().setAttachment(SagaHeaders.KEY, "4711");
                warehouse.take(item);
            }
        });
        assertThat(provider.calls(item)).isEqualTo(2);
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void a_call_that_names_no_saga_is_served_outside_of_sagas() {
        assertThat(warehouse().take(item)).isEqualTo("none");
        assertThat(alpha.sagas()).isEmpty();
    }

    @Test
    void malformed_attachments_are_refused_with_a_sentence_and_not_sent_again() {
        Warehouse warehouse = warehouse(reference -> reference.setRetries(2));
        RpcContext.getClientAttachment().setAttachment(SagaHeaders.SAGA.toLowerCase(Locale.ROOT), "sa ga");
        assertThatThrownBy(() -> warehouse.take(item))
                .isInstanceOf(RpcException.class)
                .hasMessageContaining("Header " + SagaHeaders.SAGA + " must be 1 to 64 characters")
                .hasMessageContaining("the call was not served");
        assertThat(provider.calls(item)).isZero();
    }

    @Test
    void what_is_about_one_call_does_not_go_on_to_the_next() {
        Warehouse warehouse = warehouse();
        orders.run(() -> assertThat(warehouse.attachments().toLowerCase(Locale.ROOT))
                .doesNotContain("x-pack", "x-omega")
                .endsWith(omega.sagaId().orElseThrow()));
    }

    @Test
    void a_cluster_that_makes_several_calls_of_one_is_refused_in_a_saga() {
        Warehouse warehouse = warehouse(reference -> reference.setCluster("broadcast"));
        orders.run(() -> assertThatThrownBy(() -> warehouse.take(item))
                .isInstanceOf(SagaException.class)
                .hasMessageContaining("Warehouse.take is called in a saga by Dubbo's cluster 'broadcast'"));
        assertThat(stock.taken(item)).isZero();
        assertThat(warehouse.take(item)).isEqualTo("none");
    }

    @Test
    void the_branches_of_a_call_that_nobody_waits_for_report_by_themselves() {
        Warehouse warehouse = warehouse(reference -> {
            MethodConfig take = new MethodConfig();
            take.setName("take");
            take.setReturn(false);
            reference.setMethods(List.of(take));
        });
        orders.open(() -> {
            warehouse.take(item);
            await().until(() -> alpha.saga().history().contains("Stock.take ended"));
        });
        assertThat(alpha.saga()).active();
        assertThat(stock.taken(item)).isOne();
    }

    @Test
    void an_application_that_knows_no_omega_serves_no_call_of_a_saga() {
        ApplicationModel other = Dubbo.application(others, "other");
        ServiceConfig<Warehouse> service = Dubbo.service(other, provider);
        service.setGroup(protocol);
        Dubbo.export(other, List.of(service));
        Warehouse warehouse = refer(service, reference -> {});
        assertThat(warehouse.take(item)).isEqualTo("none");
        orders.run(() -> {
            assertThatThrownBy(() -> warehouse.take(item))
                    .isInstanceOf(RpcException.class)
                    .hasMessageContaining("knows no omega; the call was not served");
            sagas.addTo(other);
            assertThat(warehouse.take(item)).isEqualTo(omega.sagaId().orElseThrow());
            DubboSagas.switchedOff().addTo(other);
            assertThat(warehouse.take(item)).isEqualTo("none");
        });
    }

    @Test
    void a_provider_without_omega_is_called_as_before() {
        Warehouse warehouse = refer(exported.plain(), reference -> {});
        orders.run(() -> {
            assertThat(warehouse.take(item)).isEqualTo("none");
            assertThat(warehouse.takeLater(item).join()).isEqualTo("none");
        });
        assertThat(alpha.saga()).committed().history().doesNotContain("Stock.take");
        assertThat(stock.taken(item)).isEqualTo(2);
    }

    @Test
    void a_consumer_without_omega_is_served_as_before() {
        Warehouse warehouse = warehouse(reference -> reference.setFilter("-omega"));
        orders.run(() -> {
            assertThat(warehouse.take(item)).isEqualTo("none");
            assertThat(warehouse.takeLater(item).join()).isEqualTo("none");
        });
        assertThat(alpha.sagas()).isEmpty();
        assertThat(stock.taken(item)).isEqualTo(2);
    }

    private void travels(Function<String, String> warehouse) {
        TravellingEnd.assertOf(
                wanted -> assertThat(warehouse.apply(wanted))
                        .isEqualTo(omega.sagaId().orElseThrow()),
                orders,
                stock,
                alpha);
    }

    private void reportsByItself(Runnable call) {
        orders.run(() -> {
            assertThatThrownBy(call::run).hasMessageContaining("broken " + item);
            await().until(() -> alpha.saga().history().contains("Stock.take ended"));
        });
        assertThat(alpha.saga()).committed();
    }

    private Warehouse warehouse() {
        return warehouse(reference -> {});
    }

    private Warehouse warehouse(Consumer<ReferenceConfig<Warehouse>> with) {
        return refer(exported.warehouse(), with);
    }

    private Warehouse warehouseInMesh() {
        return warehouse(reference -> {
            reference.setParameters(Map.of("mesh-enable", "true"));
            reference.setProvidedBy("warehouse");
            reference.setUnloadClusterRelated(true);
            reference.setFilter("-omega"); // A cluster's filter would not send it.
        });
    }

    private Warehouse refer(ServiceConfig<Warehouse> service, Consumer<ReferenceConfig<Warehouse>> with) {
        ReferenceConfig<Warehouse> reference = Dubbo.reference(application, service, protocol);
        with.accept(reference);
        return reference.get();
    }
}
