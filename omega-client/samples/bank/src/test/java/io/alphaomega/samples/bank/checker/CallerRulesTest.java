package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.Told;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What callers were told: lies, and what is none. */
class CallerRulesTest {
    private final Scene scene = new Scene();

    @Test
    void committed_was_said_of_a_compensated_saga() {
        String saga = scene.compensated("one");
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMMITTED, saga, t.steps()));
        scene.breaks(Rule.TRUTH, "transfer one", saga + " is committed");
    }

    @Test
    void compensated_was_said_of_a_committed_saga() {
        String saga = scene.committed("one");
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMPENSATED, saga, t.steps()));
        scene.breaks(Rule.TRUTH, "transfer one", "nothing of saga " + saga + " is left");
    }

    @Test
    void refused_was_said_of_a_transfer_that_left_something() {
        String saga = scene.committed("one");
        scene.fault("kill", Scene.START, Scene.START.plusSeconds(1));
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.FAILED, null, t.steps()));
        scene.breaks(Rule.TRUTH, "transfer one", saga);
    }

    @Test
    void nobody_knows_though_nothing_had_happened() {
        String saga = scene.committed("one");
        scene.fault("kill", Scene.START.minusSeconds(9), Scene.START.minusSeconds(8));
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.UNKNOWN, saga, t.steps()));
        scene.breaks(Rule.TRUTH, "transfer one", "UNKNOWN", "no fault");
    }

    @Test
    void nobody_knows_right_after_a_fault() {
        String saga = scene.committed("one");
        scene.fault("kill", Scene.START.minusSeconds(9), Scene.START.minusSeconds(1));
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.UNKNOWN, saga, t.steps()));
        scene.passes();
    }

    @Test
    void a_caller_was_never_answered() {
        scene.committed("one");
        scene.retell("one", t -> new Told("one", t.asked(), null, Answer.UNKNOWN, t.saga(), t.steps()));
        scene.breaks(Rule.TRUTH, "Transfer one", "never answered");
    }

    @Test
    void committed_was_said_of_a_saga_that_nobody_knows() {
        scene.committed("one");
        scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMMITTED, "none", t.steps()));
        scene.breaks(Rule.TRUTH, "transfer one", "none", "alpha does not know");
    }

    @Test
    void a_transfer_failed_before_anything_was_done() {
        scene.fault("kill", Scene.START, Scene.START.plusSeconds(1));
        scene.told.add(new Told("one", Scene.START, Scene.START.plusSeconds(2), Answer.FAILED, null, List.of()));
        scene.passes();
    }
}
