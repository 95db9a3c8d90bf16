package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Acked;
import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What histories look like: each rule with a history that breaks it, and one that only nearly does. */
class JournalRulesTest {
    private final Scene scene = new Scene();

    @Nested
    class Decisions {
        @Test
        void a_saga_was_committed_and_aborted() {
            String saga = scene.compensated("one");
            scene.rewrite(saga, events -> {
                events.add(events.size() - 1, new Event(0, events.getLast().at(), Evidence.COMMITTED, null, null, 0));
                return events;
            });
            scene.breaks(Rule.DECISION, saga + " was decided 2 times");
        }

        @Test
        void a_saga_ended_otherwise_than_decided() {
            String saga = scene.compensated("one");
            scene.state(saga, "COMMITTED");
            scene.breaks(Rule.DECISION, saga + " is COMMITTED");
        }

        @Test
        void a_saga_that_ended_twice_was_decided_once() {
            scene.reopened("one");
            scene.passes();
        }
    }

    @Nested
    class Acknowledged {
        @Test
        void an_acknowledged_event_is_missing() {
            String saga = scene.confirmed("one");
            scene.acks.add(new Acked(saga, Evidence.BRANCH_ENDED, "never-seen", 8));
            scene.breaks(Rule.ACKED, saga + " lacks branch.ended.v1 of branch never-seen", "number 8");
        }

        @Test
        void an_acknowledged_saga_is_missing() {
            scene.acks.add(new Acked("lost", Evidence.BEGUN, null, 1));
            scene.breaks(Rule.ACKED, "lost", "knows no such saga");
        }

        @Test
        void an_acknowledged_begin_is_missing_and_a_branch_has_begun_the_saga() {
            String saga = begunByBranch();
            scene.breaks(Rule.ACKED, saga + " lacks saga.begun.v1", "number 8");
        }

        @Test
        void an_acknowledged_begin_came_after_a_branch_had_begun_the_saga() {
            String saga = begunByBranch();
            scene.rewrite(saga, events -> {
                events.add(2, ofType(events.get(1), Evidence.BEGIN_CAUGHT_UP));
                return events;
            });
            scene.passes();
        }

        private String begunByBranch() {
            String saga = scene.confirmed("one");
            scene.acks.add(new Acked(saga, Evidence.BEGUN, null, 8));
            scene.rewrite(saga, events -> {
                events.set(0, ofType(events.getFirst(), Event.BEGUN_BY_BRANCH));
                return events;
            });
            return saga;
        }

        private static Event ofType(Event event, String type) {
            return new Event(event.sequence(), event.at(), type, null, null, 0);
        }

        @Test
        void an_event_that_was_acknowledged_twice_is_there_once() {
            String saga = scene.confirmed("one");
            scene.acks.add(new Acked(saga, Evidence.BRANCH_ENDED, saga + "/raw", 9));
            scene.acks.add(new Acked(saga, Evidence.COMMITTED, null, 10));
            scene.passes();
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
            scene.breaks(Rule.ORDER, saga + " has event 5 where event 4 should be");
        }

        @Test
        void a_history_is_shorter_than_alpha_says() {
            String saga = scene.committed("one");
            scene.change(
                    saga,
                    v -> new SagaView(
                            v.id(), v.state(), 99, v.deadline(), v.abort(), v.suspension(), v.branches(), v.history()));
            scene.breaks(Rule.ORDER, saga + " is said to have 99 events");
        }

        @Test
        void a_branch_ended_that_never_began() {
            String saga = scene.committed("one");
            scene.dropEvent(saga, e -> e.type().equals(Evidence.BRANCH_BEGAN) && (saga + "/north").equals(e.branch()));
            scene.breaks(Rule.ORDER, saga, "branch.ended.v1", "never began");
        }

        @Test
        void a_branch_began_twice() {
            String saga = scene.committed("one");
            scene.rewrite(saga, events -> {
                events.add(3, events.get(1));
                return events;
            });
            scene.breaks(Rule.ORDER, saga, "had begun before");
        }

        @Test
        void a_branch_began_after_the_decision() {
            String saga = scene.compensated("one");
            scene.rewrite(saga, events -> {
                events.add(new Event(0, events.getLast().at(), Evidence.BRANCH_BEGAN, "late", null, 0));
                return events;
            });
            scene.breaks(Rule.ORDER, saga, "decided before");
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
            scene.breaks(Rule.ORDER, saga + " was undone as");
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
            scene.breaks(Rule.ORDER, saga, "after 0 requests");
        }

        @Test
        void a_callback_came_before_its_request() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.minusSeconds(1)));
            scene.breaks(Rule.ORDER, saga, "but it was requested at");
        }

        @Test
        void clocks_may_differ_a_little() {
            String saga = scene.compensated("one");
            scene.callbacks.add(
                    new Delivered("north", saga, saga + "/north", Kind.COMPENSATION, 1, Scene.START.minusMillis(400)));
            scene.passes();
        }

        @Test
        void what_ends_after_the_abort_is_undone_when_it_comes() {
            scene.reopened("one");
            scene.passes();
        }
    }
}
