package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.alphaomega.omega.fence.Forward.Verdict;
import io.r2dbc.spi.R2dbcException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What the fence promises on every database, through JDBC and through R2DBC. Extend it, return an empty database, change
 * nothing else.
 */
abstract class FenceContract extends EffectContract<Participant> {

    @Nested
    class A_forward_call_in_a_transaction {
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
        void is_another_one_where_its_id_differs_in_case_only() throws Exception {
            assertThat(participant.forward("car")).isEqualTo(Verdict.RUN);
            assertThat(participant.forward("Car")).isEqualTo(Verdict.RUN);
        }

        @Test
        void is_never_taken_for_one_whose_id_is_as_long_as_an_id_may_be_and_the_beginning_of_its_own()
                throws Exception {
            String id = "c".repeat(64);
            assertThat(participant.forward(id)).isEqualTo(Verdict.RUN);
            try {
                assertThat(participant.forward(id + "ar")).isEqualTo(Verdict.RUN);
            } catch (SQLException | R2dbcException refused) {
                assertThat(participant.fenceRows(id)).isEqualTo(1);
            }
        }

        @Test
        void without_a_stored_result_is_a_duplicate_without_one() throws Exception {
            participant.forward("car");
            assertThat(forwardOnly("car").result()).isEmpty();
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
    class What_is_remembered {
        @Test
        void is_nothing_at_first_and_the_last_from_then_on() throws Exception {
            assertThat(participant.remembered()).isEmpty();
            participant.remember(new byte[] {1});
            participant.remember(new byte[] {1});
            assertThat(participant.remembered()).hasValue(new byte[] {1});

            byte[] large = new byte[Fence.RESULT_BYTES];
            large[0] = 2;
            participant.remember(large);
            assertThat(participant.remembered()).hasValue(large);
        }

        @Test
        void is_deleted_by_no_purge() throws Exception {
            participant.remember(new byte[] {1});
            int unused = participant.purge(Instant.parse("9999-01-01T00:00:00Z"), 100);
            assertThat(participant.remembered()).hasValue(new byte[] {1});
        }

        @Test
        void may_be_stored_by_several_instances_at_a_time() throws Exception {
            ExecutorService both = Executors.newFixedThreadPool(2);
            try {
                Future<?> one = both.submit(() -> remembering((byte) 1));
                Future<?> other = both.submit(() -> remembering((byte) 2));
                one.get(1, TimeUnit.MINUTES);
                other.get(1, TimeUnit.MINUTES);
            } finally {
                both.shutdownNow();
            }
            assertThat(participant.remembered().orElseThrow()[0]).isIn((byte) 1, (byte) 2);
        }

        private @Nullable Void remembering(byte memory) throws Exception {
            for (int tries = 1; ; tries++) {
                try {
                    participant.remember(new byte[] {memory});
                    return null;
                } catch (Exception e) {
                    if (!participant.hasLost(e) || tries == Participant.TRIES) throw e;
                }
            }
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
    class A_compensation_in_a_transaction {
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
    class A_confirmation_without_a_fence_before {
        @Test
        void of_a_branch_without_a_fence_inserts_only_its_own_row() throws Exception {
            assertThat(participant.confirm("car", false)).isEqualTo(Confirmation.RUN);
            assertThat(participant.fenceRows("car")).isEqualTo(1);
        }
    }

    @Nested
    class A_try_in_a_transaction {
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
    class Racing_transactions {
        /** Of what waits for one row only. */
        private static final int FEW_ROUNDS = 10;

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
            CountDownLatch there = new CountDownLatch(1);
            Future<Verdict> second = other.submit(() -> participant.inTransaction(transaction -> {
                there.countDown(); // With a connection, and nothing left to do but to insert.
                return transaction.forward("car").verdict();
            }));
            other.shutdown();
            assertThat(there.await(2, TimeUnit.MINUTES)).isTrue();
            assertThatThrownBy(() -> second.get(100, TimeUnit.MILLISECONDS))
                    .isInstanceOf(java.util.concurrent.TimeoutException.class);
            first.rollback();
            assertThat(second.get(2, TimeUnit.MINUTES)).isEqualTo(Verdict.RUN);
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
