package io.alphaomega.samples.bank.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.History.Listed;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What must have happened by when. */
class TimeRulesTest {
    private final Scene scene = new Scene();

    @Nested
    class Deadlines {
        @Test
        void a_saga_was_decided_long_after_its_deadline() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(4));
            scene.breaks(Rule.DEADLINE, saga);
        }

        @Test
        void a_saga_was_decided_a_little_after_its_deadline() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(2));
            scene.passes();
        }

        @Test
        void nobody_could_decide_while_alpha_was_away() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(30));
            scene.fault("kill", Scene.START.minusSeconds(31), Scene.START.minusSeconds(4));
            scene.passes();
        }

        @Test
        void a_fault_long_before_explains_nothing() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(30));
            scene.fault("kill", Scene.START.minusSeconds(31), Scene.START.minusSeconds(20));
            scene.breaks(Rule.DEADLINE, saga);
        }

        @Test
        void a_rolling_restart_explains_nothing() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(30));
            scene.fault("rolling-restart", Scene.START.minusSeconds(31), Scene.START.minusSeconds(4));
            scene.breaks(Rule.DEADLINE, saga);
        }

        @Test
        void a_saga_was_timed_out_before_its_time() {
            String saga = scene.compensated("one");
            scene.timedOut(saga);
            scene.breaks(Rule.DEADLINE, saga, "because its time was over");
        }
    }

    @Nested
    class Ended {
        @Test
        void a_saga_is_still_being_compensated() {
            String saga = scene.compensated("one");
            scene.dropEvent(saga, e -> e.type().equals(Evidence.ENDED));
            scene.state(saga, "COMPENSATING");
            scene.breaks(Rule.ENDED, saga + " is still COMPENSATING");
        }

        @Test
        void a_saga_is_suspended_for_no_reason() {
            String saga = scene.suspended("one");
            scene.fault("kill", Scene.START, Scene.START.plusSeconds(1), "NO_PARTICIPANT");
            scene.breaks(Rule.ENDED, saga + " is suspended for COMPENSATION_FAILED");
        }

        @Test
        void a_saga_is_suspended_for_a_reason() {
            scene.suspended("one");
            scene.fault("refuse", Scene.START, Scene.START.plusSeconds(1), "COMPENSATION_FAILED");
            scene.passes();
        }

        @Test
        void a_saga_is_suspended_for_a_reason_of_another_time() {
            String saga = scene.suspended("one");
            scene.fault(
                    "refuse", Scene.START.plusSeconds(3_600), Scene.START.plusSeconds(3_601), "COMPENSATION_FAILED");
            scene.breaks(Rule.ENDED, saga + " is suspended for COMPENSATION_FAILED, which no fault at that time");
        }

        @Test
        void the_list_says_something_else() {
            String saga = scene.committed("one");
            History h = scene.history();
            History listed = new History(
                    h.told(),
                    h.effects(),
                    h.balances(),
                    h.fence(),
                    h.sagas(),
                    List.of(new Listed(saga, "ACTIVE")),
                    h.acks(),
                    h.callbacks(),
                    h.faults(),
                    h.terms());
            assertThat(Checker.check(listed))
                    .singleElement()
                    .satisfies(found -> assertThat(found.sentence()).contains(saga, "ACTIVE in the list"));
        }
    }
}
