package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Forward.Verdict;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/**
 * What the fence promises besides where transactions read side by side: one that has read before another was committed is
 * told what that left, or is to be repeated. Never does it take what it cannot see for something that is not there.
 */
abstract class SnapshotContract extends FenceContract {
    private static final byte[] BOOKED = "booking 7".getBytes(StandardCharsets.UTF_8);

    @Nested
    class A_transaction_that_has_read_before_the_call_was_committed {
        @Test
        void makes_the_call_again_and_is_told_what_that_returned() throws Exception {
            Participant.Transaction older = older();
            book();
            assertBooked(asked(older, transaction -> transaction.forward("car")));
        }

        @Test
        void asks_for_what_must_not_run_any_more_and_is_told_what_it_returned() throws Exception {
            Participant.Transaction older = older();
            book();
            assertBooked(asked(older, transaction -> transaction.again("car")));
        }

        @Test
        void asks_for_what_never_ran_and_leaves_no_row() throws Exception {
            Participant.Transaction older = older();
            Forward said = asked(older, transaction -> transaction.again("car"));
            assertThat(said.verdict()).isEqualTo(Verdict.REFUSED);
            assertThat(participant.fenceRows("car")).isZero();
        }

        @Test
        void makes_the_call_again_after_its_compensation_and_is_refused() throws Exception {
            Participant.Transaction older = older();
            book();
            participant.compensate("car", true);
            Forward said = asked(older, transaction -> transaction.forward("car"));
            assertThat(said.verdict()).isEqualTo(Verdict.REFUSED);
        }

        @Test
        void compensates_what_was_done() throws Exception {
            Participant.Transaction older = older();
            book();
            Compensation said = asked(older, transaction -> {
                Compensation compensation = transaction.compensation("car", true);
                if (compensation == Compensation.RUN) transaction.cancel("car");
                return compensation;
            });
            assertThat(said).isEqualTo(Compensation.RUN);
            assertThat(participant.bookings("car")).isZero();
        }

        @Test
        void compensates_what_had_only_begun() throws Exception {
            Participant.Transaction older = older();
            participant.begin("car");
            Compensation said = asked(older, transaction -> transaction.compensation("car", false));
            assertThat(said).isEqualTo(Compensation.RUN);
        }

        @Test
        void confirms_what_was_done() throws Exception {
            Participant.Transaction older = older();
            book();
            Confirmation said = asked(older, transaction -> transaction.confirmation("car", true));
            assertThat(said).isEqualTo(Confirmation.RUN);
        }

        @Test
        void follows_what_was_confirmed() throws Exception {
            Participant.Transaction older = older();
            book();
            participant.confirm("car", true);
            boolean said = asked(older, transaction -> transaction.sequel("car"));
            assertThat(said).isTrue();
        }

        @Test
        void does_not_say_that_what_was_done_has_left_nothing() throws Exception {
            Participant.Transaction older = older();
            book();
            boolean said = asked(older, transaction -> transaction.bar("car"));
            assertThat(said).isFalse();
        }
    }

    /** It has read a row by its key, of another branch: that locks nothing which others need, at any isolation. */
    private Participant.Transaction older() throws Exception {
        participant.forward("anchor");
        Participant.Transaction older = participant.open();
        assertThat(older.count(
                        "SELECT COUNT(*) FROM omega_fence WHERE saga = 'saga' AND op = 'forward' AND branch = ",
                        "anchor"))
                .isOne();
        return older;
    }

    private void book() throws Exception {
        participant.inTransaction(transaction -> {
            transaction.forward("car");
            transaction.storeResult("car", BOOKED);
            transaction.book("car");
            return Verdict.RUN;
        });
    }

    private static void assertBooked(Forward said) {
        assertThat(said.verdict()).isEqualTo(Verdict.DUPLICATE);
        assertThat(said.result()).hasValue(BOOKED);
    }

    /** Once more in a fresh transaction if that one is to be repeated, as its caller would be told. */
    private <T> T asked(Participant.Transaction older, Participant.Work<T> question) throws Exception {
        try {
            T said = question.in(older);
            older.commit();
            return said;
        } catch (Exception e) {
            older.rollback();
            if (!participant.hasLost(e)) throw e;
            return participant.inTransaction(question);
        }
    }
}
