package io.alphaomega.omega.spring.definition;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.TccStart;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.spring.Applications;
import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.annotation.AliasFor;
import org.springframework.util.ReflectionUtils;

/** Annotations that stand for others, and where they may stand. */
class AnnotationsTest {
    private final AnnotationReader reader = new AnnotationReader(text -> text);

    /** A project's own way to say it. */
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @TccStart(timeout = "7s", order = CallbackOrder.PARALLEL)
    @interface Checkout {
        @AliasFor(annotation = TccStart.class, attribute = "businessKey")
        String about();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @Compensable(compensationMethod = "", reverseRetries = 3, forwardTimeout = "8s")
    @interface Undoable {
        @AliasFor(annotation = Compensable.class, attribute = "compensationMethod")
        String by();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @Participate(confirmMethod = "confirm", cancelMethod = "cancel", reverseTimeout = "9s")
    @interface Tried {}

    interface Desk {
        @Undoable(by = "undo")
        void book(String guest);

        @Tried
        String hold(String guest);

        @Checkout(about = "#p0")
        void plan(String guest);
    }

    static class ItsDesk implements Desk {
        @Override
        public void book(String guest) {}

        public void undo(String guest) {}

        @Override
        public String hold(String guest) {
            return guest;
        }

        public void confirm(String guest, String held) {}

        public void cancel() {}

        @Override
        public void plan(String guest) {}
    }

    static class LaterDesk extends ItsDesk {
        @Override
        public void book(String guest) {}
    }

    @Test
    void an_annotation_of_a_project_on_an_interface_means_what_stands_behind_it() {
        SagaDefinition saga = Objects.requireNonNull(reader.saga(method(ItsDesk.class, "plan"), ItsDesk.class));
        assertThat(saga.timeout()).isEqualTo(Duration.ofSeconds(7));
        assertThat(saga.order()).isEqualTo(CallbackOrder.PARALLEL);

        BranchDefinition booked = branch(ItsDesk.class, "book");
        assertThat(booked.compensation().describe()).isEqualTo("AnnotationsTest.ItsDesk.undo(String)");
        assertThat(booked.confirmation()).isNull();
        assertThat(booked.offer().getPolicy().getAttempts()).isEqualTo(4);
        assertThat(booked.forwardTimeout()).isEqualTo(Duration.ofSeconds(8));

        BranchDefinition held = branch(ItsDesk.class, "hold");
        assertThat(held.compensation().describe()).isEqualTo("AnnotationsTest.ItsDesk.cancel()");
        assertThat(Objects.requireNonNull(held.confirmation()).describe())
                .isEqualTo("AnnotationsTest.ItsDesk.confirm(String, String)");
        assertThat(Objects.requireNonNull(held.confirmationOffer()).getPolicy().getTimeoutMillis())
                .isEqualTo(9_000);
        assertThat(held.takesArguments()).isTrue();
        assertThat(held.takesResult()).isTrue();
    }

    @Test
    void a_subclass_inherits_it() {
        assertThat(branch(LaterDesk.class, "book").operation()).isEqualTo("AnnotationsTest.LaterDesk.book");
        assertThat(branch(LaterDesk.class, "hold").compensation().name()).isEqualTo("AnnotationsTest.LaterDesk.cancel");
    }

    @Test
    void they_work_in_an_application() {
        Applications.plain()
                .withBean(LaterDesk.class)
                .run(context -> assertThat(
                                context.getBean(OfferedCallbacks.class).names())
                        .containsExactly(
                                "AnnotationsTest.LaterDesk.cancel",
                                "AnnotationsTest.LaterDesk.confirm",
                                "AnnotationsTest.LaterDesk.undo"));
    }

    @TccStart(timeout = "7s")
    interface Planning {
        void plan(String guest);
    }

    static class ItsPlanning implements Planning {
        @Override
        public void plan(String guest) {}

        public void postpone(String guest) {
            plan(guest);
        }

        @SagaStart(timeout = "8s")
        public void hurry(String guest) {}

        @Compensable(compensationMethod = "undo")
        public void book(String guest) {}

        public void undo(String guest) {}

        @Participate(confirmMethod = "confirm", cancelMethod = "cancel")
        public void hold(String guest) {}

        public void confirm(String guest) {}

        public void cancel(String guest) {}

        @SagaEnd
        public void end(String guest) {}

        @AfterCommit("book")
        public void tell(String guest) {}

        void inside(String guest) {}

        public static void aside(String guest) {}

        @Override
        public String toString() {
            return "planning";
        }
    }

    @Test
    void on_a_type_it_holds_for_its_public_methods_that_say_nothing_of_sagas() {
        assertThat(begun(ItsPlanning.class, String.class))
                .containsOnly(
                        entry("plan", Duration.ofSeconds(7)),
                        entry("postpone", Duration.ofSeconds(7)),
                        entry("hurry", Duration.ofSeconds(8)));
        assertThat(begun(ItsPlanning.class)).isEmpty();
    }

    @SagaStart
    static class LatePlanning extends ItsPlanning {
        public void cancelAll(String guest) {}
    }

    @Test
    void on_a_class_it_holds_for_what_the_class_declares() {
        assertThat(begun(LatePlanning.class, String.class))
                .containsOnly(
                        entry("cancelAll", Duration.ZERO),
                        entry("plan", Duration.ofSeconds(7)),
                        entry("postpone", Duration.ofSeconds(7)),
                        entry("hurry", Duration.ofSeconds(8)));
    }

    @SagaStart
    static class FixedPlanning {
        public final void plan() {}
    }

    @TccStart
    static final class FixedClass {
        public void plan() {}
    }

    @Test
    void on_a_type_too_it_is_refused_where_it_would_do_nothing() {
        Applications.plain()
                .withBean(FixedPlanning.class)
                .run(context -> Applications.assertRefused(
                        context, "AnnotationsTest.FixedPlanning.plan() is @SagaStart (on its type) but final"));
        Applications.plain()
                .withBean(FixedClass.class)
                .run(context -> Applications.assertRefused(
                        context,
                        "AnnotationsTest.FixedClass.plan() is @TccStart (on its type) but its class is final"));
    }

    @SagaStart
    static class Trips implements Supplier<Optional<SagaContext>> {
        @Override
        public Optional<SagaContext> get() {
            return SagaContext.current();
        }

        /** No interface has it. */
        public Optional<SagaContext> again() {
            return get();
        }
    }

    @SagaStart
    static class Walks {
        @SagaStart(propagation = SagaPropagation.NEVER)
        public Optional<SagaContext> alone() {
            return SagaContext.current();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void on_a_type_it_begins_sagas(boolean byClass) {
        Applications.plain()
                .withBean(Trips.class)
                .withBean(Walks.class)
                .withPropertyValues("spring.aop.proxy-target-class=" + byClass)
                .run(context -> {
                    Supplier<?> trips = context.getBean(Supplier.class);
                    assertThat((Optional<?>) trips.get()).isPresent();
                    if (trips instanceof Trips itsClass)
                        assertThat(itsClass.again()).isPresent();
                    assertThat(context.getBean(Walks.class).alone()).isEmpty();
                });
    }

    @Test
    void a_tcc_start_has_every_attribute_of_a_saga_start_with_its_default() {
        assertThat(defaults(TccStart.class, name -> true)).isEqualTo(defaults(SagaStart.class, name -> true));
    }

    @Test
    void a_try_has_every_attribute_of_a_compensable_with_its_default_but_for_names() {
        Predicate<String> common = name -> !name.endsWith("Method")
                && !name.toLowerCase(Locale.ROOT).endsWith("name")
                && !name.toLowerCase(Locale.ROOT).endsWith("aliases");
        assertThat(defaults(Participate.class, common)).isEqualTo(defaults(Compensable.class, common));
    }

    private BranchDefinition branch(Class<?> beanClass, String name) {
        return Objects.requireNonNull(reader.branch(method(beanClass, name), beanClass));
    }

    /** The timeouts of the methods with these parameters that begin sagas, by their names. */
    private Map<String, Duration> begun(Class<?> beanClass, Class<?>... parameters) {
        Map<String, Duration> begun = new HashMap<>();
        for (Method method : ReflectionUtils.getUniqueDeclaredMethods(beanClass)) {
            if (!Arrays.equals(method.getParameterTypes(), parameters)) continue;
            SagaDefinition saga = reader.saga(method, beanClass);
            if (saga != null && saga.begins()) begun.put(method.getName(), saga.timeout());
        }
        return begun;
    }

    private static Method method(Class<?> beanClass, String name) {
        return Objects.requireNonNull(ReflectionUtils.findMethod(beanClass, name, String.class));
    }

    private static Map<String, String> defaults(Class<? extends Annotation> annotation, Predicate<String> which) {
        return Arrays.stream(annotation.getDeclaredMethods())
                .filter(attribute -> which.test(attribute.getName()))
                .collect(Collectors.toMap(
                        Method::getName,
                        attribute ->
                                attribute.getReturnType().getSimpleName() + " " + text(attribute.getDefaultValue())));
    }

    private static String text(Object value) {
        return value instanceof Object[] array ? Arrays.toString(array) : String.valueOf(value);
    }
}
