package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.fence.Forward.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
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
 * What the fence promises on every database, through JDBC and through R2DBC. Extend it, return an empty database, change
 * nothing else.
 */
@Timeout(120)
abstract class FenceContract {

    /** A participant with empty tables, of which several connections can be used at once. */
    abstract Participant emptyDatabase() throws Exception;

    private Participant participant;

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
        void does_not_run_again_and_gets_the_stored_result() throws Exception {
            byte[] booked = "booking 7".getBytes(StandardCharsets.UTF_8);
            participant.inTransaction(transaction -> {
                transaction.forward("car");
                transaction.storeResult("car", booked);
                return null;
            });

            Forward again = forwardOnly("car");

            assertThat(again.verdict()).isEqualTo(Verdict.DUPLICATE);
            assertThat(again.result()).hasValue(booked);
        }

        @Test
        void without_a_stored_result_is_a_duplicate_without_one() throws Exception {
            participant.forward("car");
            assertThat(forwardOnly("car").result()).isEmpty();
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
        void runs_again_after_a_rollback_which_takes_its_row_along() throws Exception {
            assertThatThrownBy(() -> participant.inTransaction(transaction -> {
                        transaction.forward("car");
                        transaction.book("car");
                        throw new IllegalStateException("no cars left");
                    }))
                    .hasMessage("no cars left");

            assertThat(participant.fenceRows("car")).isZero();
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            assertThat(participant.bookings("car")).isEqualTo(1);
        }

        @Test
        void knows_other_branches_and_other_sagas_from_its_own() throws Exception {
            participant.forward("car");
            assertThat(participant.forward("hotel")).isEqualTo(Verdict.RUN);
            assertThat(participant.forward("CAR")).isEqualTo(Verdict.RUN);
            Forward other = participant.inTransaction(c -> c.forward("other", "car"));
            assertThat(other.verdict()).isEqualTo(Verdict.RUN);
        }

        @Test
        void that_must_not_run_any_more_is_known_to_have_run_and_leaves_no_row_if_not() throws Exception {
            assertThat(again("car").verdict()).isEqualTo(Verdict.REFUSED);
            assertThat(participant.fenceRows("car")).isZero();

            byte[] booked = "booking 7".getBytes(StandardCharsets.UTF_8);
            participant.inTransaction(transaction -> {
                transaction.forward("car");
                transaction.storeResult("car", booked);
                transaction.book("car");
                return null;
            });
            assertThat(again("car").verdict()).isEqualTo(Verdict.DUPLICATE);
            assertThat(again("car").result()).hasValue(booked);

            participant.compensate("car", true);
            assertThat(again("car").verdict()).isEqualTo(Verdict.REFUSED);
            participant.bar("hotel");
            assertThat(again("hotel").verdict()).isEqualTo(Verdict.REFUSED);
        }

        private Forward again(String branch) throws Exception {
            return participant.inTransaction(c -> c.again(branch));
        }

        private Forward forwardOnly(String branch) throws Exception {
            return participant.inTransaction(c -> c.forward(branch));
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
    class A_begin_that_was_noted {
        @Test
        void is_undone_once_although_nothing_else_is_there() throws Exception {
            participant.begin("car");
            assertThat(compensateOnly("car")).isEqualTo(Compensation.RUN);
            assertThat(compensateOnly("car")).isEqualTo(Compensation.DONE_BEFORE);
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
        }

        @Test
        void is_undone_after_its_failure_was_noted_too() throws Exception {
            participant.begin("car");
            participant.bar("car");
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
            assertThat(compensateOnly("car")).isEqualTo(Compensation.RUN);
            assertThat(compensateOnly("car")).isEqualTo(Compensation.DONE_BEFORE);
        }

        @Test
        void may_be_noted_again_and_run_once() throws Exception {
            participant.begin("car");
            participant.begin("car");
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            assertThat(participant.forward("car")).isEqualTo(Verdict.DUPLICATE);
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.RUN);
        }

        @Test
        void after_a_compensation_that_came_first_changes_nothing() throws Exception {
            assertThat(compensateOnly("car")).isEqualTo(Compensation.NOTHING_TO_UNDO);
            participant.begin("car");
            assertThat(participant.forward("car")).isEqualTo(Verdict.REFUSED);
            assertThat(compensateOnly("car")).isEqualTo(Compensation.DONE_BEFORE);
        }

        @Test
        void does_not_stand_for_a_row_of_a_call_that_alpha_has_seen_end() throws Exception {
            participant.begin("car");
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.FENCE_ROW_MISSING);
        }

        private Compensation compensateOnly(String branch) throws Exception {
            return participant.inTransaction(c -> c.compensation(branch, false));
        }
    }

    @Nested
    class A_stored_result {
        @Test
        void of_64_KiB_is_kept_byte_for_byte() throws Exception {
            byte[] result = new byte[Fence.RESULT_BYTES];
            for (int i = 0; i < result.length; i++) result[i] = (byte) i;
            store(result);
            Forward again = participant.inTransaction(c -> c.forward("car"));
            assertThat(again.result()).hasValue(result);
        }

        @Test
        void beyond_64_KiB_is_refused_with_what_to_do_instead() {
            assertThatThrownBy(() -> store(new byte[Fence.RESULT_BYTES + 1]))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("branch car of saga saga has 65537 bytes, the fence keeps at most 65536");
        }

        @Test
        void without_its_forward_row_is_refused() {
            assertThatThrownBy(() -> participant.inTransaction(transaction -> {
                        transaction.storeResult("car", new byte[1]);
                        return null;
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("no forward row");
        }

        private void store(byte[] result) throws Exception {
            participant.inTransaction(transaction -> {
                transaction.forward("car");
                transaction.storeResult("car", result);
                return null;
            });
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

        @Test
        void that_rolls_back_can_be_done_again() throws Exception {
            participant.forward("car");
            assertThatThrownBy(() -> participant.inTransaction(transaction -> {
                        transaction.compensation("car", true);
                        transaction.cancel("car");
                        throw new IllegalStateException("the other side is closed");
                    }))
                    .hasMessage("the other side is closed");

            assertThat(participant.bookings("car")).isEqualTo(1);
            assertThat(participant.compensate("car", true)).isEqualTo(Compensation.RUN);
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

        @Test
        void of_a_branch_without_a_fence_inserts_only_its_own_row() throws Exception {
            assertThat(participant.confirm("car", false)).isEqualTo(Confirmation.RUN);
            assertThat(participant.fenceRows("car")).isEqualTo(1);
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

        @Test
        void whose_confirmation_rolls_back_is_confirmed_by_the_next() throws Exception {
            participant.forward("car");
            assertThatThrownBy(() -> participant.inTransaction(transaction -> {
                        transaction.confirmation("car", true);
                        transaction.book("car");
                        throw new IllegalStateException("the other side is closed");
                    }))
                    .hasMessage("the other side is closed");

            assertThat(participant.bookings("car")).isEqualTo(1);
            assertThat(participant.confirm("car", true)).isEqualTo(Confirmation.RUN);
        }
    }

    @Nested
    class A_sequel {
        @Test
        void follows_a_compensation_once() throws Exception {
            participant.forward("car");
            participant.compensate("car", true);
            assertThat(participant.sequel("car")).isTrue();
            assertThat(participant.sequel("car")).isFalse();
        }

        @Test
        void follows_a_confirmation_once() throws Exception {
            participant.forward("car");
            participant.confirm("car", true);
            assertThat(participant.sequel("car")).isTrue();
            assertThat(participant.sequel("car")).isFalse();
        }

        @Test
        void follows_the_compensation_of_what_had_only_begun() throws Exception {
            participant.begin("car");
            participant.inTransaction(c -> c.compensation("car", false));
            assertThat(participant.sequel("car")).isTrue();
        }

        @Test
        void does_not_follow_a_compensation_that_had_nothing_to_undo() throws Exception {
            participant.compensate("car", false);
            assertThat(participant.sequel("car")).isFalse();
        }

        @Test
        void does_not_follow_the_compensation_of_what_had_failed() throws Exception {
            participant.bar("car");
            participant.compensate("car", false);
            assertThat(participant.sequel("car")).isFalse();
        }

        @Test
        void that_rolls_back_follows_the_next_time() throws Exception {
            participant.forward("car");
            participant.compensate("car", true);
            assertThatThrownBy(() -> participant.inTransaction(transaction -> {
                        assertThat(transaction.sequel("car")).isTrue();
                        throw new IllegalStateException("no paper");
                    }))
                    .hasMessage("no paper");

            assertThat(participant.sequel("car")).isTrue();
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
            System.out.println("forward was first in " + ranFirst + " of " + ROUNDS + " rounds");
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

        @Test
        void sequels_of_one_branch_run_once() throws Exception {
            for (int round = 0; round < FEW_ROUNDS; round++) {
                String branch = "branch-" + round;
                participant.forward(branch);
                participant.compensate(branch, true);
                assertThat(race(() -> participant.sequel(branch), () -> participant.sequel(branch)))
                        .as(branch)
                        .containsExactlyInAnyOrder(true, false);
            }
        }

        @Test
        void a_second_inserter_waits_for_the_first_and_runs_if_that_rolls_back() throws Exception {
            Participant.Transaction first = participant.open();
            first.forward("car");
            ExecutorService other = Executors.newSingleThreadExecutor();
            Future<Verdict> second = other.submit(() -> participant.forward("car"));
            other.shutdown();
            assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            first.rollback();
            assertThat(second.get(2, TimeUnit.MINUTES)).isEqualTo(Verdict.RUN);
        }

        private List<Object> race(Callable<?>... runners) throws Exception {
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

    @Nested
    class Administration {
        @Test
        void creates_the_table_once_however_often_it_is_asked() throws Exception {
            participant.forward("car");
            participant.createTableIfMissing();
            assertThat(participant.fenceRows("car")).isEqualTo(1);
        }

        @Test
        void purges_up_to_a_limit_only_rows_that_are_old_enough() throws Exception {
            participant.forward("car");
            participant.forward("hotel");
            participant.forward("flight");
            Instant later = Participant.NOW.plus(Duration.ofDays(8));
            participant.at(later).forward("taxi");

            Instant before = later.minus(Duration.ofDays(7));
            assertThat(participant.purge(Participant.NOW, 10)).isZero();
            assertThat(participant.purge(before, 2)).isEqualTo(2);
            assertThat(participant.purge(before, 2)).isEqualTo(1);
            assertThat(participant.purge(before, 2)).isZero();
            assertThat(participant.fenceRows("taxi")).isEqualTo(1);
        }
    }
}
