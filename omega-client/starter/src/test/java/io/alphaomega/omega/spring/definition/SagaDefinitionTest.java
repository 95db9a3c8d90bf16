package io.alphaomega.omega.spring.definition;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.SagaPropagation;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class SagaDefinitionTest {

    @Test
    void every_exception_aborts_by_default() {
        assertThat(aborting(List.of(), List.of()).isAbortedBy(new Error())).isTrue();
        assertThat(aborting(List.of(), List.of()).isAbortedBy(new IOException()))
                .isTrue();
    }

    @Test
    void the_class_nearer_to_the_exception_decides() {
        SagaDefinition definition = aborting(List.of(FileNotFoundException.class), List.of(IOException.class));
        assertThat(definition.isAbortedBy(new IOException())).isFalse();
        assertThat(definition.isAbortedBy(new FileNotFoundException())).isTrue();
        assertThat(definition.isAbortedBy(new IllegalStateException())).isTrue();
    }

    @Test
    void a_class_that_is_said_to_do_both_aborts() {
        assertThat(aborting(List.of(IOException.class), List.of(IOException.class))
                        .isAbortedBy(new IOException()))
                .isTrue();
    }

    private static SagaDefinition aborting(
            List<Class<? extends Throwable>> abortFor, List<Class<? extends Throwable>> noAbortFor) {
        return new SagaDefinition(
                "sell",
                true,
                SagaPropagation.OUTERMOST,
                true,
                false,
                Duration.ZERO,
                SagaLabels.NONE,
                CallbackOrder.SEQUENTIAL,
                true,
                abortFor,
                noAbortFor);
    }
}
