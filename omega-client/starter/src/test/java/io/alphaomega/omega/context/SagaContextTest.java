package io.alphaomega.omega.context;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.MDC;

class SagaContextTest {

    @Test
    void a_repeated_call_names_its_branches_as_before() {
        SagaContext first = received("saga-1", "", "call-1");
        SagaContext repeated = received("saga-1", "", "call-1");
        String branch = first.nextBranch("Car.book");
        assertThat(repeated.nextBranch("Car.book")).isEqualTo(branch).matches("[0-9a-f]{32}");
        assertThat(repeated.nextBranch("Car.book"))
                .isEqualTo(first.nextBranch("Car.book"))
                .isNotEqualTo(branch);
    }

    @Test
    void the_order_of_different_operations_in_a_call_does_not_matter() {
        SagaContext first = received("saga-1", "", "call-1");
        SagaContext repeated = received("saga-1", "", "call-1");
        String car = first.nextBranch("Car.book");
        String hotel = first.nextBranch("Hotel.book");
        assertThat(repeated.nextBranch("Hotel.book")).isEqualTo(hotel);
        assertThat(repeated.nextBranch("Car.book")).isEqualTo(car);
    }

    @Test
    void whatever_differs_makes_another_branch() {
        assertThat(new String[] {
                    received("saga-1", "", "call-1").nextBranch("Car.book"),
                    received("saga-2", "", "call-1").nextBranch("Car.book"),
                    received("saga-1", "parent", "call-1").nextBranch("Car.book"),
                    received("saga-1", "", "call-2").nextBranch("Car.book"),
                    received("saga-1", "", "call-1").nextBranch("Car.cancel"),
                })
                .doesNotHaveDuplicates();
    }

    @Test
    void a_thread_is_where_it_was_when_a_scope_closes() {
        SagaContext saga = SagaContext.begun("saga-1", 0, "", PendingReports.nothing("saga-1"));
        SagaContext.Scope outer = saga.open();
        SagaContext.Scope inner = saga.within("branch-1").open();
        assertThat(MDC.get(SagaContext.MDC_BRANCH)).isEqualTo("branch-1");
        inner.close();
        assertThat(SagaContext.current()).contains(saga);
        assertThat(MDC.get(SagaContext.MDC_SAGA)).isEqualTo("saga-1");
        assertThat(MDC.get(SagaContext.MDC_BRANCH)).isNull();
        outer.close();
        assertThat(SagaContext.current()).isEmpty();
        assertThat(MDC.get(SagaContext.MDC_SAGA)).isNull();
    }

    private static SagaContext received(String saga, String branch, String call) {
        return SagaContext.received(saga, branch, call, 0, "", PendingReports.nothing(saga));
    }
}
