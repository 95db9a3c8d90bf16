package io.alphaomega.samples.bank.checker;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Answer;
import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Told;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Each rule with a history that breaks it, and one that only nearly does. */
class CheckerTest {
    private final Scene scene = new Scene();

    private void passes() {
        assertThat(Checker.check(scene.history())).isEmpty();
    }

    private void breaks(Rule rule, String... words) {
        assertThat(Checker.check(scene.history()))
                .filteredOn(violation -> violation.rule() == rule)
                .isNotEmpty()
                .anySatisfy(violation -> assertThat(violation.sentence()).contains(words));
    }

    @Test
    void histories_of_every_kind_pass_in_any_order() {
        Random random = new Random(20_261_120);
        for (int i = 0; i < 500; i++) {
            String transfer = "t" + i;
            switch (random.nextInt(4)) {
                case 0 -> scene.committed(transfer);
                case 1 -> scene.compensated(transfer);
                case 2 -> scene.reopened(transfer);
                default -> scene.confirmed(transfer);
            }
        }
        Collections.shuffle(scene.effects, random);
        Collections.shuffle(scene.told, random);
        passes();
    }

    @Test
    void a_history_read_from_its_file_is_the_same(@TempDir Path directory) {
        scene.committed("one");
        scene.suspended("two");
        scene.confirmed("three");
        scene.fault("kill", Scene.START, Scene.START.plusSeconds(1), "COMPENSATION_FAILED");
        scene.history().write(directory.resolve("run/history.json"));
        assertThat(History.read(directory.resolve("run/history.json"))).isEqualTo(scene.history());
    }

    @Nested
    class Atomic {
        @Test
        void a_committed_saga_lacks_an_effect() {
            String saga = scene.committed("one");
            scene.effects.remove(scene.effect(saga, "south", Kind.FORWARD));
            breaks(Rule.ATOMIC, saga + " is committed", saga + "/south", "nothing");
        }

        @Test
        void a_compensated_saga_left_something_behind() {
            String saga = scene.compensated("one");
            scene.effects.remove(scene.effect(saga, "north", Kind.COMPENSATION));
            breaks(Rule.ATOMIC, saga + " is compensated", saga + "/north is left with -7");
        }

        @Test
        void a_compensation_gave_back_less_than_was_taken() {
            String saga = scene.compensated("one");
            scene.effects.replaceAll(
                    e -> e.kind() == Kind.COMPENSATION && e.service().equals("north")
                            ? new Effect(e.service(), e.saga(), e.branch(), e.kind(), e.transfer(), 6, e.order())
                            : e);
            breaks(Rule.ATOMIC, saga + " is compensated", "left with -1");
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
            breaks(Rule.ATOMIC, saga + " was committed although a branch failed");
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
            breaks(Rule.ATOMIC, "transfer one", saga, "expected");
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
            passes();
        }

        @Test
        void a_branch_that_never_did_anything_needs_no_undoing() {
            scene.reopened("one");
            scene.compensated("two");
            passes();
        }
    }

    @Nested
    class Once {
        @Test
        void a_method_took_effect_twice() {
            String saga = scene.committed("one");
            Effect effect = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.add(effect);
            breaks(Rule.ONCE, saga + "/north", "2 times as FORWARD");
        }

        @Test
        void a_compensation_took_effect_twice() {
            String saga = scene.compensated("one");
            scene.effects.add(scene.effect(saga, "north", Kind.COMPENSATION));
            breaks(Rule.ONCE, saga + "/north", "2 times as COMPENSATION");
        }

        @Test
        void an_effect_has_no_row_in_the_fence() {
            String saga = scene.committed("one");
            scene.fence.removeIf(row -> row.service().equals("north"));
            scene.fence.add(new FenceRow("north", "another", "branch", "forward", "forward"));
            breaks(Rule.ONCE, "saga=" + saga, "fence of north has no row forward");
        }

        @Test
        void two_branches_of_one_saga_may_do_the_same_in_one_service() {
            String saga = scene.committed("one");
            scene.committed("two");
            assertThat(scene.effects)
                    .filteredOn(e -> e.service().equals("north"))
                    .hasSize(2);
            assertThat(saga).isNotNull();
            passes();
        }

        @Test
        void a_service_without_a_fence_has_no_rows() {
            scene.committed("one");
            scene.fence.clear();
            passes();
        }
    }

    @Nested
    class Compensation {
        @Test
        void something_was_undone_that_was_never_done() {
            String saga = scene.compensated("one");
            scene.effects.remove(scene.effect(saga, "north", Kind.FORWARD));
            breaks(Rule.COMPENSATION, saga + "/north", "before it was done, or without");
        }

        @Test
        void something_was_undone_before_it_was_done() {
            String saga = scene.compensated("one");
            Effect late = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.remove(late);
            scene.effects.add(new Effect("north", saga, late.branch(), Kind.FORWARD, "one", -7, 999));
            breaks(Rule.COMPENSATION, saga + "/north", "before it was done");
        }

        @Test
        void something_was_undone_of_a_committed_saga() {
            String saga = scene.committed("one");
            scene.effects.add(new Effect("north", saga, saga + "/north", Kind.COMPENSATION, "one", 7, 999));
            breaks(Rule.COMPENSATION, saga + "/north", "nobody aborted");
        }

        @Test
        void a_callback_was_never_requested() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 2, Scene.START.plusSeconds(1)));
            breaks(Rule.COMPENSATION, saga, "attempt 2, which was never requested");
        }

        @Test
        void a_request_may_reach_the_participant_more_than_once() {
            String saga = scene.compensated("one");
            Delivered callback =
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.plusSeconds(1));
            scene.callbacks.add(callback);
            scene.callbacks.add(callback);
            passes();
        }
    }

    @Nested
    class Confirmation {
        @Test
        void an_aborted_saga_was_confirmed() {
            String saga = scene.compensated("one");
            scene.effects.add(new Effect("north", saga, saga + "/north", Kind.CONFIRMATION, "one", 0, 999));
            breaks(Rule.CONFIRMATION, saga + "/north", "nobody committed");
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
            breaks(Rule.CONFIRMATION, saga, "its decision forbids");
        }

        @Test
        void a_committed_saga_was_not_confirmed() {
            String saga = scene.confirmed("one");
            scene.effects.remove(scene.effect(saga, "raw", Kind.CONFIRMATION));
            breaks(Rule.ATOMIC, saga + " is committed", "raw");
        }

        @Test
        void a_committed_saga_was_confirmed() {
            scene.confirmed("one");
            passes();
        }
    }

    @Nested
    class Truth {
        @Test
        void committed_was_said_of_a_compensated_saga() {
            String saga = scene.compensated("one");
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMMITTED, saga, t.steps()));
            breaks(Rule.TRUTH, "transfer one", saga + " is committed");
        }

        @Test
        void compensated_was_said_of_a_committed_saga() {
            String saga = scene.committed("one");
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMPENSATED, saga, t.steps()));
            breaks(Rule.TRUTH, "transfer one", "nothing of saga " + saga + " is left");
        }

        @Test
        void refused_was_said_of_a_transfer_that_left_something() {
            String saga = scene.committed("one");
            scene.fault("kill", Scene.START, Scene.START.plusSeconds(1));
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.FAILED, null, t.steps()));
            breaks(Rule.TRUTH, "transfer one", saga);
        }

        @Test
        void nobody_knows_though_nothing_had_happened() {
            String saga = scene.committed("one");
            scene.fault("kill", Scene.START.minusSeconds(9), Scene.START.minusSeconds(8));
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.UNKNOWN, saga, t.steps()));
            breaks(Rule.TRUTH, "transfer one", "UNKNOWN", "no fault");
        }

        @Test
        void nobody_knows_right_after_a_fault() {
            String saga = scene.committed("one");
            scene.fault("kill", Scene.START.minusSeconds(9), Scene.START.minusSeconds(1));
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.UNKNOWN, saga, t.steps()));
            passes();
        }

        @Test
        void a_caller_was_never_answered() {
            scene.committed("one");
            scene.retell("one", t -> new Told("one", t.asked(), null, Answer.UNKNOWN, t.saga(), t.steps()));
            breaks(Rule.TRUTH, "Transfer one", "never answered");
        }

        @Test
        void committed_was_said_of_a_saga_that_nobody_knows() {
            scene.committed("one");
            scene.retell("one", t -> new Told("one", t.asked(), t.answered(), Answer.COMMITTED, "none", t.steps()));
            breaks(Rule.TRUTH, "transfer one", "none", "alpha does not know");
        }

        @Test
        void a_transfer_failed_before_anything_was_done() {
            scene.fault("kill", Scene.START, Scene.START.plusSeconds(1));
            scene.told.add(new Told("one", Scene.START, Scene.START.plusSeconds(2), Answer.FAILED, null, List.of()));
            passes();
        }
    }

    @Nested
    class Decisions {
        @Test
        void a_saga_was_committed_and_aborted() {
            String saga = scene.compensated("one");
            scene.rewrite(saga, events -> {
                events.add(events.size() - 1, new Event(0, events.getLast().at(), Evidence.COMMITTED, null, null, 0));
                return events;
            });
            breaks(Rule.DECISION, saga + " was decided 2 times");
        }

        @Test
        void a_saga_ended_otherwise_than_decided() {
            String saga = scene.compensated("one");
            scene.state(saga, "COMMITTED");
            breaks(Rule.DECISION, saga + " is COMMITTED");
        }

        @Test
        void a_saga_that_ended_twice_was_decided_once() {
            scene.reopened("one");
            passes();
        }
    }

    @Nested
    class Acknowledged {
        @Test
        void an_acknowledged_event_is_missing() {
            String saga = scene.confirmed("one");
            scene.acks.add(new Acked(saga, Evidence.BRANCH_ENDED, "never-seen", 8));
            breaks(Rule.ACKED, saga + " lacks branch.ended.v1 of branch never-seen", "number 8");
        }

        @Test
        void an_acknowledged_saga_is_missing() {
            scene.acks.add(new Acked("lost", Evidence.BEGUN, null, 1));
            breaks(Rule.ACKED, "lost", "knows no such saga");
        }

        @Test
        void an_event_that_was_acknowledged_twice_is_there_once() {
            String saga = scene.confirmed("one");
            scene.acks.add(new Acked(saga, Evidence.BRANCH_ENDED, saga + "/raw", 9));
            scene.acks.add(new Acked(saga, Evidence.COMMITTED, null, 10));
            passes();
        }
    }

    @Nested
    class Order {
        @Test
        void a_history_has_a_gap() {
            String saga = scene.committed("one");
            scene.change(
                    saga,
                    v -> new SagaView(
                            v.id(),
                            v.state(),
                            v.sequence(),
                            v.deadline(),
                            v.abort(),
                            v.suspension(),
                            v.branches(),
                            v.history().stream().filter(e -> e.sequence() != 4).toList()));
            breaks(Rule.ORDER, saga + " has event 5 where event 4 should be");
        }

        @Test
        void a_history_is_shorter_than_alpha_says() {
            String saga = scene.committed("one");
            scene.change(
                    saga,
                    v -> new SagaView(
                            v.id(), v.state(), 99, v.deadline(), v.abort(), v.suspension(), v.branches(), v.history()));
            breaks(Rule.ORDER, saga + " is said to have 99 events");
        }

        @Test
        void a_branch_ended_that_never_began() {
            String saga = scene.committed("one");
            scene.dropEvent(saga, e -> e.type().equals(Evidence.BRANCH_BEGAN) && (saga + "/north").equals(e.branch()));
            breaks(Rule.ORDER, saga, "branch.ended.v1", "never began");
        }

        @Test
        void a_branch_began_twice() {
            String saga = scene.committed("one");
            scene.rewrite(saga, events -> {
                events.add(3, events.get(1));
                return events;
            });
            breaks(Rule.ORDER, saga, "had begun before");
        }

        @Test
        void a_branch_began_after_the_decision() {
            String saga = scene.compensated("one");
            scene.rewrite(saga, events -> {
                events.add(new Event(0, events.getLast().at(), Evidence.BRANCH_BEGAN, "late", null, 0));
                return events;
            });
            breaks(Rule.ORDER, saga, "decided before");
        }

        @Test
        void the_first_one_was_undone_first() {
            String saga = scene.compensated("one");
            scene.rewrite(saga, events -> {
                List<Event> swapped = new ArrayList<>(events.subList(0, 8));
                for (int i : List.of(10, 11, 8, 9, 12)) {
                    Event e = events.get(i);
                    swapped.add(new Event(0, events.getLast().at(), e.type(), e.branch(), e.kind(), e.attempt()));
                }
                return swapped;
            });
            breaks(Rule.ORDER, saga + " was undone as");
        }

        @Test
        void an_answer_came_from_a_branch_that_was_not_asked() {
            String saga = scene.compensated("one");
            scene.rewrite(
                    saga,
                    events -> events.stream()
                            .map(e -> e.type().equals(Evidence.SUCCEEDED) && (saga + "/north").equals(e.branch())
                                    ? new Event(0, e.at(), e.type(), saga + "/teller", e.kind(), 1)
                                    : e)
                            .toList());
            breaks(Rule.ORDER, saga, "after 0 requests");
        }

        @Test
        void a_callback_came_before_its_request() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.minusSeconds(1)));
            breaks(Rule.ORDER, saga, "but it was requested at");
        }

        @Test
        void clocks_may_differ_a_little() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.minusMillis(400)));
            passes();
        }

        @Test
        void what_ends_after_the_abort_is_undone_when_it_comes() {
            scene.reopened("one");
            passes();
        }
    }

    @Nested
    class Deadlines {
        @Test
        void a_saga_was_decided_long_after_its_deadline() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(4));
            breaks(Rule.DEADLINE, saga);
        }

        @Test
        void a_saga_was_decided_a_little_after_its_deadline() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(2));
            passes();
        }

        @Test
        void nobody_could_decide_while_alpha_was_away() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(30));
            scene.fault("kill", Scene.START.minusSeconds(31), Scene.START.minusSeconds(4));
            passes();
        }

        @Test
        void a_fault_long_before_explains_nothing() {
            String saga = scene.committed("one");
            scene.deadline(saga, Scene.START.minusSeconds(30));
            scene.fault("kill", Scene.START.minusSeconds(31), Scene.START.minusSeconds(20));
            breaks(Rule.DEADLINE, saga);
        }

        @Test
        void a_saga_was_timed_out_before_its_time() {
            String saga = scene.compensated("one");
            scene.change(
                    saga,
                    v -> new SagaView(
                            v.id(),
                            v.state(),
                            v.sequence(),
                            v.deadline(),
                            "SAGA_TIMED_OUT",
                            v.suspension(),
                            v.branches(),
                            v.history()));
            breaks(Rule.DEADLINE, saga, "because its time was over");
        }
    }

    @Nested
    class Ended {
        @Test
        void a_saga_is_still_being_compensated() {
            String saga = scene.compensated("one");
            scene.dropEvent(saga, e -> e.type().equals(Evidence.ENDED));
            scene.state(saga, "COMPENSATING");
            breaks(Rule.ENDED, saga + " is still COMPENSATING");
        }

        @Test
        void a_saga_is_suspended_for_no_reason() {
            String saga = scene.suspended("one");
            scene.fault("kill", Scene.START, Scene.START.plusSeconds(1), "NO_PARTICIPANT");
            breaks(Rule.ENDED, saga + " is suspended for COMPENSATION_FAILED");
        }

        @Test
        void a_saga_is_suspended_for_a_reason() {
            scene.suspended("one");
            scene.fault("refuse", Scene.START, Scene.START.plusSeconds(1), "COMPENSATION_FAILED");
            passes();
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

    @Nested
    class CrossTalk {
        @Test
        void an_effect_is_one_of_a_saga_that_nobody_knows() {
            scene.effects.add(new Effect("teller", "ghost", "b", Kind.FORWARD, "one", 0, 1));
            breaks(Rule.CROSS_TALK, "saga=ghost", "alpha knows no such saga");
        }

        @Test
        void an_effect_is_one_of_another_service() {
            String saga = scene.committed("one");
            Effect effect = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.remove(effect);
            scene.effects.add(new Effect("south", saga, effect.branch(), Kind.FORWARD, "one", -7, 1));
            breaks(Rule.CROSS_TALK, "service=south", "that branch is one of north");
        }

        @Test
        void two_transfers_share_a_saga() {
            String saga = scene.committed("one");
            scene.committed("two");
            scene.retell("two", t -> new Told("two", t.asked(), t.answered(), t.answer(), saga, t.steps()));
            breaks(Rule.CROSS_TALK, saga + " is that of transfers");
        }

        @Test
        void two_sagas_share_a_branch() {
            String one = scene.committed("one");
            String two = scene.committed("two");
            scene.change(
                    two,
                    v -> new SagaView(
                            v.id(),
                            v.state(),
                            v.sequence(),
                            v.deadline(),
                            v.abort(),
                            v.suspension(),
                            scene.saga(one).branches(),
                            v.history()));
            breaks(Rule.CROSS_TALK, one + "/north", "in saga " + one);
        }

        @Test
        void a_callback_went_to_another_service() {
            String saga = scene.compensated("one");
            Instant at = Scene.START.plusSeconds(1);
            scene.callbacks.add(new Delivered("south", saga, saga + "/north", Kind.COMPENSATION, 1, at));
            breaks(Rule.CROSS_TALK, "Service south", saga + "/north", "one of north");
        }

        @Test
        void two_sagas_of_one_transfer_are_a_second_try() {
            String one = scene.compensated("one");
            scene.committed("two");
            scene.retell("one", t -> new Told("two", t.asked(), t.answered(), t.answer(), one, t.steps()));
            scene.effects.replaceAll(
                    e -> new Effect(e.service(), e.saga(), e.branch(), e.kind(), "two", e.amount(), e.order()));
            passes();
        }
    }

    @Nested
    class Money {
        @Test
        void money_is_gone_that_no_row_tells_of() {
            scene.committed("one");
            scene.steal("north", 5);
            breaks(Rule.MONEY, "accounts of north", "988", "993");
        }

        @Test
        void money_moved_is_money_kept() {
            scene.committed("one");
            scene.compensated("two");
            passes();
        }
    }

    @Nested
    class Voids {
        private final Floor floor = new Floor(2, 1, 1, 1, 1, Map.of("kill", 1));

        private Verdict verdict() {
            return Verdict.of(scene.history(), floor);
        }

        @Test
        void a_run_in_which_enough_happened_passes() {
            scene.committed("one");
            scene.confirmed("two");
            scene.compensated("three");
            scene.fault("kill", Scene.START.plusMillis(3), Scene.START.plusSeconds(1));
            assertThat(verdict().passed()).as(verdict().toString()).isTrue();
        }

        @Test
        void a_run_in_which_nothing_happened_is_void() {
            assertThat(verdict().violations()).isEmpty();
            assertThat(verdict().passed()).isFalse();
            assertThat(verdict().voids()).hasSize(6);
            assertThat(verdict().toString()).startsWith("void");
        }

        @Test
        void a_run_with_its_faults_before_the_load_is_void() {
            scene.committed("one");
            scene.confirmed("two");
            scene.compensated("three");
            scene.fault("kill", Scene.START.minus(Duration.ofSeconds(5)), Scene.START.minusSeconds(4));
            assertThat(verdict().voids()).singleElement().asString().contains("sagas open during a fault: 0");
        }
    }
}
