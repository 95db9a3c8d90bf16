package io.alphaomega.omega.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaBranch;
import io.alphaomega.omega.SagaStart;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.core.RabbitTemplate;
import org.springframework.aot.generate.ClassNameGenerator;
import org.springframework.aot.generate.DefaultGenerationContext;
import org.springframework.aot.generate.InMemoryGeneratedFiles;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.TypeHint;
import org.springframework.aot.hint.TypeReference;
import org.springframework.context.annotation.AnnotationConfigUtils;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.javapoet.ClassName;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** What Spring's AOT processing hears of a service's branches. */
class OmegaHintsTest {
    record Order(List<Line> lines) {}

    record Line(String item) {}

    record Receipt(String number) {}

    record Seat(int row) {}

    record Pass(String holder) {}

    record Basket(String owner) {}

    record Parcel(String key) {}

    record Unrelated(String text) {}

    static class Desk {
        @Compensable(compensationMethod = "cancel")
        public Receipt order(Order order) {
            return new Receipt("1");
        }

        public void cancel(Order order, Receipt receipt) {}

        @Participate(confirmMethod = "take", cancelMethod = "leave")
        public void reserve(Seat seat) {}

        public void take(Seat seat) {}

        public void leave(Seat seat) {}

        @Compensable(compensationMethod = "nothing", fenced = false)
        public CompletableFuture<Pass> later() {
            return CompletableFuture.completedFuture(new Pass("ann"));
        }

        public void nothing() {}

        @SagaStart(businessKey = "#basket.owner", unique = true)
        public void buy(Basket basket) {}

        @SagaStart
        public void other(Unrelated unrelated) {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Handlers {
        @Bean
        CompensationHandler<Parcel> parcels() {
            return CompensationHandler.of("Parcels.back", Parcel.class, parcel -> {});
        }
    }

    @Test
    void callbacks_are_called_and_payloads_become_json_and_nothing_else_is_named() throws NoSuchMethodException {
        RuntimeHints hints = hints(Desk.class);
        for (var callback : List.of(
                Desk.class.getMethod("cancel", Order.class, Receipt.class),
                Desk.class.getMethod("take", Seat.class),
                Desk.class.getMethod("leave", Seat.class))) {
            assertThat(invokes(hints, callback)).as(callback.getName()).isTrue();
        }
        for (Class<?> value : List.of(Order.class, Line.class, Receipt.class, Seat.class, Pass.class, Basket.class)) {
            assertThat(reflection().onType(value)).as(value.getSimpleName()).accepts(hints);
        }
        assertThat(reflection().onType(Unrelated.class)).rejects(hints);
    }

    @Test
    void a_handler_is_told_what_its_bean_method_says() {
        assertThat(reflection().onType(Parcel.class)).accepts(hints(Handlers.class));
    }

    /** It fails where a library has renamed what is reached. */
    @Test
    void what_is_reached_in_libraries_is_there() throws ReflectiveOperationException {
        RuntimeHints hints = new RuntimeHints();
        new LibraryHints().registerHints(hints, getClass().getClassLoader());
        for (Field field : List.of(
                Class.forName("org.springframework.web.client.DefaultRestClientBuilder")
                        .getDeclaredField("requestFactory"),
                RabbitTemplate.class.getDeclaredField("retryTemplate"))) {
            assertThat(reads(hints, field)).as(field.getName()).isTrue();
        }
        for (Method method : List.of(
                AbstractRoutingDataSource.class.getDeclaredMethod("determineTargetDataSource"),
                DataSourceTransactionManager.class.getMethod("getDataSource"),
                CompensationHandler.class.getDeclaredMethod("compensate", Object.class),
                SagaBranch.Call.class.getMethod("call"))) {
            assertThat(invokes(hints, method)).as(method.getName()).isTrue();
        }
    }

    private static boolean invokes(RuntimeHints hints, Method method) {
        List<TypeReference> parameters = TypeReference.listOf(method.getParameterTypes());
        return of(hints, method.getDeclaringClass())
                .methods()
                .anyMatch(each -> each.getMode() == ExecutableMode.INVOKE
                        && each.getName().equals(method.getName())
                        && each.getParameterTypes().equals(parameters));
    }

    private static boolean reads(RuntimeHints hints, Field field) {
        return of(hints, field.getDeclaringClass())
                .fields()
                .anyMatch(each -> each.getName().equals(field.getName()));
    }

    private static TypeHint of(RuntimeHints hints, Class<?> type) {
        return Objects.requireNonNull(hints.reflection().getTypeHint(type));
    }

    private static RuntimeHints hints(Class<?> bean) {
        DefaultGenerationContext generation = new DefaultGenerationContext(
                new ClassNameGenerator(ClassName.get(OmegaHintsTest.class)), new InMemoryGeneratedFiles());
        try (GenericApplicationContext context = new GenericApplicationContext()) {
            AnnotationConfigUtils.registerAnnotationConfigProcessors(context);
            context.registerBean(bean);
            ClassName unused = new ApplicationContextAotGenerator().processAheadOfTime(context, generation);
        }
        return generation.getRuntimeHints();
    }
}
