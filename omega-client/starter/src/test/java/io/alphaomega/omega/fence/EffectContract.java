package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Forward.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every fence promises, whatever it keeps its rows in: an effect at most once, and none after its compensation. Extend
 * it, return empty data, change nothing else.
 *
 * @param <P> how the data is reached
 */
@Timeout(120)
abstract class EffectContract<P extends Guarded> {

    /** Empty data, of which several connections can be used at once. */
    abstract P emptyDatabase() throws Exception;

    P participant;

    @BeforeEach
    void open() throws Exception {
        participant = emptyDatabase();
    }

    @Nested
    class A_forward_call {
        @Test
        void runs_the_first_time() throws Exception {
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            assertThat(participant.bookings("car")).isEqualTo(1);
        }

        @Test
        void is_refused_after_a_compensation_that_came_first() throws Exception {
            participant.compensate("car", false);
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void is_refused_after_it_was_compensated_rather_than_told_the_result_that_is_undone() throws Exception {
            participant.forward("car");
            participant.compensate("car", true);
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void knows_other_branches_and_other_sagas_from_its_own() throws Exception {
            participant.forward("car");
            assertThat(participant.forward("hotel")).isEqualTo(Verdict.RUN);
            assertThat(participant.forward("CAR")).isEqualTo(Verdict.RUN);
            assertThat(participant.forward("other", "car")).isEqualTo(Verdict.RUN);
        }
    }

    @Nested
    class A_failure {
        @Test
        void that_left_nothing_behind_bars_every_later_run() throws Exception {
            assertThat(participant.bar("car")).isTrue();
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void leaves_nothing_to_undo() throws Exception {
            participant.bar("car");
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.NOTHING_TO_UNDO);
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.DONE_BEFORE);
        }

        @Test
        void says_so_each_time_it_is_asked() throws Exception {
            participant.bar("car");
            assertThat(participant.bar("car")).isTrue();
        }

        @Test
        void of_one_run_does_not_speak_for_another_that_was_committed() throws Exception {
            participant.forward("car");
            assertThat(participant.bar("car")).isFalse();
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.RUN);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void after_a_compensation_that_came_first_has_left_nothing_behind() throws Exception {
            participant.compensate("car", false);
            assertThat(participant.bar("car")).isTrue();
        }

        @Test
        void contradicts_an_end_that_alpha_has_seen() throws Exception {
            participant.bar("car");
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
        }
    }

    @Nested
    class A_compensation {
        @Test
        void undoes_what_ran() throws Exception {
            participant.forward("car");
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.RUN);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void undoes_what_ran_also_when_alpha_has_not_seen_it_end() throws Exception {
            participant.forward("car");
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.RUN);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void is_done_once() throws Exception {
            participant.forward("car");
            participant.compensate("car", true);
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.DONE_BEFORE);
        }

        @Test
        void of_what_never_ran_has_nothing_to_undo_and_says_so_again() throws Exception {
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.NOTHING_TO_UNDO);
            assertThat(participant.compensate("car", false)).isEqualTo(Compensation.DONE_BEFORE);
        }

        @Test
        void whose_forward_row_is_gone_is_never_taken_for_a_null_compensation() throws Exception {
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
            assertThat(participant.fenceRows("car")).isZero();
        }

        @Test
        void whose_forward_row_is_only_that_of_an_earlier_null_compensation_is_not_either() throws Exception {
            participant.compensate("car", false);
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
        }
    }

    @Nested
    class A_confirmation {
        @Test
        void runs_once() throws Exception {
            participant.forward("car");
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.RUN);
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.DONE_BEFORE);
        }

        @Test
        void of_a_fenced_branch_without_a_forward_row_never_succeeds_by_doing_nothing() throws Exception {
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.FORWARD_MISSING);
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.FORWARD_MISSING);
            assertThat(participant.fenceRows("car")).isZero();
        }

        @Test
        void does_not_take_the_row_of_a_null_compensation_for_a_forward_call() throws Exception {
            participant.compensate("car", false);
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.FORWARD_MISSING);
        }
    }

    @Nested
    class A_try {
        @Test
        void that_is_repeated_after_its_confirmation_does_not_run_again() throws Exception {
            participant.forward("car");
            participant.confirm("car", true);
            assertThat(participant.forward("car")).isEqualTo(Verdict.DUPLICATE);
            assertThat(participant.bookings("car")).isEqualTo(1);
        }

        @Test
        void may_come_after_a_confirmation_that_found_none_and_is_confirmed_then() throws Exception {
            participant.confirm("car", true);
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.RUN);
        }

        @Test
        void that_failed_is_never_confirmed() throws Exception {
            participant.bar("car");
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.FORWARD_MISSING);
        }
    }

    @Nested
    class Racing {
        /** Enough for each order to win often. */
        private static final int ROUNDS = 100;

        /** Of what waits for one row only. */
        private static final int FEW_ROUNDS = 10;

        @Test
        void forward_and_compensation_end_with_nothing_booked_and_both_told_the_truth() throws Exception {
            int ranFirst = 0;
            for (int round = 0; round < ROUNDS; round++) {
                String branch = "branch-" + round;
                List<Object> answers =
                        race(() -> participant.forward(branch), () -> participant.compensate(branch, false));

                if (answers.get(0) == Verdict.RUN) {
                    assertThat(answers.get(1)).as(branch).isEqualTo(Compensation.RUN);
                    ranFirst++;
                } else {
                    assertThat(answers).as(branch).containsExactly(Verdict.REFUSED, Compensation.NOTHING_TO_UNDO);
                }
                assertThat(participant.bookings(branch)).as(branch).isZero();
            }
            System.out.println("== forward was first in " + ranFirst + " of " + ROUNDS + " rounds");
        }

        @Test
        void forward_calls_of_one_branch_book_once() throws Exception {
            for (int round = 0; round < ROUNDS; round++) {
                String branch = "branch-" + round;
                assertThat(race(() -> participant.forward(branch), () -> participant.forward(branch)))
                        .as(branch)
                        .containsExactlyInAnyOrder(Verdict.RUN, Verdict.DUPLICATE);
                assertThat(participant.bookings(branch)).as(branch).isEqualTo(1);
            }
        }

        @Test
        void compensations_of_one_branch_undo_once() throws Exception {
            for (int round = 0; round < ROUNDS; round++) {
                String branch = "branch-" + round;
                participant.forward(branch);
                assertThat(race(() -> participant.compensate(branch, true), () -> participant.compensate(branch, true)))
                        .as(branch)
                        .containsExactlyInAnyOrder(Compensation.RUN, Compensation.DONE_BEFORE);
            }
        }

        @Test
        void confirmations_of_one_branch_run_once() throws Exception {
            for (int round = 0; round < FEW_ROUNDS; round++) {
                String branch = "branch-" + round;
                participant.forward(branch);
                assertThat(race(() -> participant.confirm(branch, true), () -> participant.confirm(branch, true)))
                        .as(branch)
                        .containsExactlyInAnyOrder(Confirmation.RUN, Confirmation.DONE_BEFORE);
            }
        }

        @Test
        void a_confirmation_beside_its_try_confirms_it_or_says_that_there_is_none() throws Exception {
            for (int round = 0; round < FEW_ROUNDS; round++) {
                String branch = "branch-" + round;
                List<Object> answers = race(() -> participant.forward(branch), () -> participant.confirm(branch, true));

                assertThat(answers.get(0)).as(branch).isEqualTo(Verdict.RUN);
                assertThat(answers.get(1)).as(branch).isIn(Confirmation.RUN, Confirmation.FORWARD_MISSING);
                assertThat(participant.confirm(branch, true))
                        .as(branch)
                        .isEqualTo(answers.get(1) == Confirmation.RUN ? Confirmation.DONE_BEFORE : Confirmation.RUN);
                assertThat(participant.bookings(branch)).as(branch).isEqualTo(1);
            }
        }

        @Test
        void a_confirmation_beside_a_repeated_try_runs_and_the_try_does_not() throws Exception {
            for (int round = 0; round < FEW_ROUNDS; round++) {
                String branch = "branch-" + round;
                participant.forward(branch);
                assertThat(race(() -> participant.forward(branch), () -> participant.confirm(branch, true)))
                        .as(branch)
                        .containsExactly(Verdict.DUPLICATE, Confirmation.RUN);
                assertThat(participant.bookings(branch)).as(branch).isEqualTo(1);
            }
        }
    }

    static List<Object> race(Callable<?>... runners) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(runners.length);
        try {
            CyclicBarrier start = new CyclicBarrier(runners.length);
            List<Future<Object>> running = new ArrayList<>();
            for (Callable<?> runner : runners) {
                running.add(pool.submit(() -> {
                    start.await();
                    return runner.call();
                }));
            }
            List<Object> answers = new ArrayList<>();
            for (Future<Object> each : running) answers.add(each.get(2, TimeUnit.MINUTES));
            return answers;
        } finally {
            pool.shutdownNow();
        }
    }
}
