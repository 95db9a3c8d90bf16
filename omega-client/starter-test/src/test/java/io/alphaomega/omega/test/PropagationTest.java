package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Import;

/** What becomes of a saga's method inside another saga, and outside. */
@SpringBootTest(classes = PropagationTest.App.class)
@OmegaTest
class PropagationTest {
    @Autowired
    private Outer outer;

    @Autowired
    private Inner inner;

    @Autowired
    private HotelDesk hotel;

    @Autowired
    private CarDesk car;

    @Autowired
    private Omega omega;

    @Autowired
    private Ledger ledger;

    @Autowired
    private TestAlpha alpha;

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @Import({HotelDesk.class, CarDesk.class, Ledger.class, Outer.class, Inner.class})
    static class App {}

    static class Harmless extends RuntimeException {}

    static class Outer {
        @SagaStart
        public void run(Runnable business) {
            business.run();
        }
    }

    static class Inner {
        @SagaStart
        public void outermost(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.REQUIRED, businessKey = "'inner'", noAbortFor = Harmless.class)
        public void required(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.REQUIRES_NEW)
        public void requiresNew(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.MANDATORY)
        public void mandatory(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.SUPPORTS)
        public void supports(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.NOT_SUPPORTED)
        public void notSupported(Runnable business) {
            business.run();
        }

        @SagaStart(propagation = SagaPropagation.NEVER)
        public void never(Runnable business) {
            business.run();
        }
    }

    @BeforeEach
    void nothing_done() {
        ledger.clear();
    }

    private void bookAndJoin(Consumer<Runnable> joining) {
        outer.run(() -> {
            hotel.book("Ada");
            joining.accept(() -> car.book("Ada"));
        });
    }

    private void requireOneSagaOfTheOuter() {
        assertThat(alpha.saga())
                .committed()
                .history()
                .containsExactly(
                        "PropagationTest.Outer.run began",
                        "HotelDesk.book began",
                        "HotelDesk.book ended",
                        "CarDesk.book began",
                        "CarDesk.book ended",
                        "commit asked for",
                        "committed",
                        "ended committed");
        assertThat(alpha.saga().businessKey()).isEmpty();
    }

    @Test
    void required_is_a_part_of_the_saga_it_is_called_in() {
        bookAndJoin(inner::required);
        requireOneSagaOfTheOuter();
    }

    @Test
    void mandatory_is_a_part_of_the_saga_it_is_called_in() {
        bookAndJoin(inner::mandatory);
        requireOneSagaOfTheOuter();
    }

    @Test
    void supports_is_a_part_of_the_saga_it_is_called_in() {
        bookAndJoin(inner::supports);
        requireOneSagaOfTheOuter();
    }

    @Test
    void required_begins_a_saga_where_there_is_none() {
        inner.required(() -> car.book("Ada"));

        assertThat(alpha.saga()).committed();
        assertThat(alpha.saga().operation()).isEqualTo("PropagationTest.Inner.required");
        assertThat(alpha.saga().businessKey()).isEqualTo("inner");
    }

    @Test
    void what_has_joined_and_thrown_aborts_the_saga_whoever_catches_it() {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> outer.run(() -> {
                    hotel.book("Ada");
                    swallow(() -> inner.required(PropagationTest::refuse));
                    assertThat(catchThrowable(() -> car.book("Ada"))).isInstanceOf(SagaAbortedException.class);
                }))
                .withMessageContaining("no seat left");

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "no room for Ada");
    }

    @Test
    void so_it_does_if_alpha_has_not_heard_of_the_saga() {
        assertThatExceptionOfType(SagaAbortedException.class)
                .isThrownBy(() -> outer.run(() -> {
                    swallow(() -> inner.mandatory(PropagationTest::refuse));
                    assertThat(catchThrowable(() -> car.book("Ada"))).isInstanceOf(SagaException.class);
                }));

        assertThat(alpha.sagas()).isEmpty();
        assertThat(ledger.all()).isEmpty();
    }

    @Test
    void what_does_not_abort_a_saga_of_its_own_does_not_abort_the_one_that_is_joined() {
        outer.run(() -> {
            hotel.book("Ada");
            swallow(() -> inner.required(() -> {
                throw new Harmless();
            }));
        });

        assertThat(alpha.saga()).committed();
    }

    @Test
    void what_passes_through_both_is_thrown_as_it_is() {
        assertThatIllegalStateException()
                .isThrownBy(() -> outer.run(() -> {
                    hotel.book("Ada");
                    inner.required(PropagationTest::refuse);
                }))
                .withMessage("no seat left");

        assertThat(alpha.saga()).compensated("HotelDesk.book");
    }

    @Test
    void requires_new_is_a_saga_of_its_own_and_not_undone_with_the_outer_one() {
        String[] ids = new String[3];
        assertThatIllegalStateException()
                .isThrownBy(() -> outer.run(() -> {
                    ids[0] = omega.sagaId().orElseThrow();
                    inner.requiresNew(() -> {
                        ids[1] = omega.sagaId().orElseThrow();
                        car.book("Ada");
                    });
                    assertThat(alpha.saga(ids[1])).committed();
                    ids[2] = omega.sagaId().orElseThrow();
                    hotel.book("Ada");
                    refuse();
                }));

        assertThat(ids[2]).isEqualTo(ids[0]).isNotEqualTo(ids[1]);
        assertThat(alpha.saga(ids[0])).compensated("HotelDesk.book");
        assertThat(alpha.saga(ids[1])).committed();
        assertThat(ledger.all()).containsExactly("car for Ada", "room for Ada", "no room for Ada");
    }

    @Test
    void not_supported_is_outside_of_the_saga_it_is_called_in() {
        assertThatIllegalStateException()
                .isThrownBy(() -> outer.run(() -> {
                    hotel.book("Ada");
                    inner.notSupported(() -> {
                        assertThat(omega.sagaId()).isEmpty();
                        car.book("Ada");
                    });
                    assertThat(omega.sagaId()).isPresent();
                    refuse();
                }));

        assertThat(alpha.saga()).compensated("HotelDesk.book");
        assertThat(ledger.all()).containsExactly("room for Ada", "car for Ada", "no room for Ada");
    }

    @Test
    void outside_they_run_without_a_saga_or_are_refused() {
        inner.supports(() -> car.book("Ada"));
        inner.notSupported(() -> car.book("Bob"));
        inner.never(() -> car.book("Cleo"));
        assertRefused(() -> inner.mandatory(() -> car.book("Dan")), "Inner.mandatory must be called in a saga");

        assertThat(alpha.sagas()).isEmpty();
        assertThat(ledger.all()).containsExactly("car for Ada", "car for Bob", "car for Cleo");
    }

    @Test
    void inside_outermost_and_never_are_refused() {
        outer.run(() -> {
            hotel.book("Ada");
            assertRefused(() -> inner.outermost(() -> car.book("Ada")), "It may join that one");
            assertRefused(() -> inner.never(() -> car.book("Ada")), "never to run in a saga");
        });

        assertThat(alpha.saga()).committed();
        assertThat(ledger.all()).containsExactly("room for Ada");
    }

    private static void assertRefused(Runnable call, String sentence) {
        assertThat(catchThrowable(call::run))
                .isExactlyInstanceOf(SagaException.class)
                .hasMessageContainingAll(sentence, "it did not run");
    }

    private static void refuse() {
        throw new IllegalStateException("no seat left");
    }

    private static void swallow(Runnable business) {
        assertThat(catchThrowable(business::run)).isNotNull();
    }
}
