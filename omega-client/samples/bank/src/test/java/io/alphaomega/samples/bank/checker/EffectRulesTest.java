package io.alphaomega.samples.bank.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Told;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the rows say: each rule with a history that breaks it, and one that only nearly does. */
class EffectRulesTest {
    private final Scene scene = new Scene();

    @Nested
    class Atomic {
        @Test
        void a_committed_saga_lacks_an_effect() {
            String saga = scene.committed("one");
            scene.effects.remove(scene.effect(saga, "south", Kind.FORWARD));
            scene.breaks(Rule.ATOMIC, saga + " is committed", saga + "/south", "nothing");
        }

        @Test
        void a_compensated_saga_left_something_behind() {
            String saga = scene.compensated("one");
            scene.effects.remove(scene.effect(saga, "north", Kind.COMPENSATION));
            scene.breaks(Rule.ATOMIC, saga + " is compensated", saga + "/north is left with -7");
        }

        @Test
        void a_compensation_gave_back_less_than_was_taken() {
            String saga = scene.compensated("one");
            scene.effects.replaceAll(
                    e -> e.kind() == Kind.COMPENSATION && e.service().equals("north")
                            ? new Effect(e.service(), e.saga(), e.branch(), e.kind(), e.transfer(), 6, e.order())
                            : e);
            scene.breaks(Rule.ATOMIC, saga + " is compensated", "left with -1");
        }

        @Test
        void a_saga_was_committed_although_a_branch_failed() {
            String saga = scene.committed("one");
            scene.rewrite(saga, events -> {
                Event ended = events.removeLast();
                events.add(
                        events.size() - 1,
                        new Event(0, events.getLast().at(), "branch.failed.v1", saga + "/south", null, 0));
                events.add(ended);
                return events;
            });
            scene.breaks(Rule.ATOMIC, saga + " was committed although a branch failed");
        }

        @Test
        void a_committed_transfer_has_one_step_twice_in_two_branches() {
            String saga = scene.committed("one");
            scene.retell(
                    "one",
                    t -> new Told(
                            t.transfer(),
                            t.asked(),
                            t.answered(),
                            t.answer(),
                            t.saga(),
                            t.steps().subList(0, 2)));
            scene.breaks(Rule.ATOMIC, "transfer one", saga, "expected");
        }

        @Test
        void a_branch_without_a_compensation_may_stay() {
            String saga = scene.compensated("one");
            scene.effects.remove(scene.effect(saga, "teller", Kind.COMPENSATION));
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.UNKNOWN, saga, t.steps()));
            scene.fault("kill", Scene.START, Scene.START.plusSeconds(1));
            scene.change(
                    saga,
                    v -> new SagaView(
                            v.id(),
                            v.state(),
                            v.sequence(),
                            v.deadline(),
                            v.abort(),
                            v.suspension(),
                            v.branches().stream()
                                    .map(b -> b.service().equals("teller")
                                            ? new BranchView(
                                                    b.id(), b.service(), false, false, b.forward(), b.callback())
                                            : b)
                                    .toList(),
                            v.history()));
            scene.passes();
        }

        @Test
        void a_branch_that_never_did_anything_needs_no_undoing() {
            scene.reopened("one");
            scene.compensated("two");
            scene.passes();
        }
    }

    @Nested
    class Once {
        @Test
        void a_method_took_effect_twice() {
            String saga = scene.committed("one");
            Effect effect = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.add(effect);
            scene.breaks(Rule.ONCE, saga + "/north", "2 times as FORWARD");
        }

        @Test
        void a_compensation_took_effect_twice() {
            String saga = scene.compensated("one");
            scene.effects.add(scene.effect(saga, "north", Kind.COMPENSATION));
            scene.breaks(Rule.ONCE, saga + "/north", "2 times as COMPENSATION");
        }

        @Test
        void an_effect_has_no_row_in_the_fence() {
            String saga = scene.committed("one");
            scene.fence.removeIf(row -> row.service().equals("north"));
            scene.fence.add(new FenceRow("north", "another", "branch", "forward", "forward"));
            scene.breaks(Rule.ONCE, "saga=" + saga, "fence of north has no row forward");
        }

        @Test
        void two_branches_of_one_saga_may_do_the_same_in_one_service() {
            String saga = scene.committed("one");
            scene.committed("two");
            assertThat(scene.effects)
                    .filteredOn(e -> e.service().equals("north"))
                    .hasSize(2);
            assertThat(saga).isNotNull();
            scene.passes();
        }

        @Test
        void a_service_without_a_fence_has_no_rows() {
            scene.committed("one");
            scene.fence.clear();
            scene.passes();
        }
    }

    @Nested
    class Compensation {
        @Test
        void something_was_undone_that_was_never_done() {
            String saga = scene.compensated("one");
            scene.effects.remove(scene.effect(saga, "north", Kind.FORWARD));
            scene.breaks(Rule.COMPENSATION, saga + "/north", "before it was done, or without");
        }

        @Test
        void something_was_undone_before_it_was_done() {
            String saga = scene.compensated("one");
            Effect late = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.remove(late);
            scene.effects.add(new Effect("north", saga, late.branch(), Kind.FORWARD, "one", -7, 999));
            scene.breaks(Rule.COMPENSATION, saga + "/north", "before it was done");
        }

        @Test
        void something_was_undone_of_a_committed_saga() {
            String saga = scene.committed("one");
            scene.effects.add(new Effect("north", saga, saga + "/north", Kind.COMPENSATION, "one", 7, 999));
            scene.breaks(Rule.COMPENSATION, saga + "/north", "nobody aborted");
        }

        @Test
        void a_callback_was_never_requested() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 2, Scene.START.plusSeconds(1)));
            scene.breaks(Rule.COMPENSATION, saga, "attempt 2, which was never requested");
        }

        @Test
        void a_request_may_reach_the_participant_more_than_once() {
            String saga = scene.compensated("one");
            Delivered callback =
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.plusSeconds(1));
            scene.callbacks.add(callback);
            scene.callbacks.add(callback);
            scene.passes();
        }
    }

    @Nested
    class Confirmation {
        @Test
        void an_aborted_saga_was_confirmed() {
            String saga = scene.compensated("one");
            scene.effects.add(new Effect("north", saga, saga + "/north", Kind.CONFIRMATION, "one", 0, 999));
            scene.breaks(Rule.CONFIRMATION, saga + "/north", "nobody committed");
        }

        @Test
        void a_confirmation_was_asked_of_an_aborted_saga() {
            String saga = scene.compensated("one");
            scene.rewrite(
                    saga,
                    events -> events.stream()
                            .map(e -> e.kind() == null
                                    ? e
                                    : new Event(0, e.at(), e.type(), e.branch(), Kind.CONFIRMATION, e.attempt()))
                            .toList());
            scene.breaks(Rule.CONFIRMATION, saga, "its decision forbids");
        }

        @Test
        void a_committed_saga_was_not_confirmed() {
            String saga = scene.confirmed("one");
            scene.effects.remove(scene.effect(saga, "raw", Kind.CONFIRMATION));
            scene.breaks(Rule.ATOMIC, saga + " is committed", "raw");
        }

        @Test
        void a_committed_saga_was_confirmed() {
            scene.confirmed("one");
            scene.passes();
        }
    }
}
