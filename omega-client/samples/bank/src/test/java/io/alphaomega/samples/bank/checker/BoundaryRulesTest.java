package io.alphaomega.samples.bank.checker;

import io.alphaomega.samples.bank.checker.History.Delivered;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.SagaView;
import io.alphaomega.samples.bank.checker.History.Told;
import java.time.Instant;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is whose, and what it adds up to. */
class BoundaryRulesTest {
    private final Scene scene = new Scene();

    @Nested
    class CrossTalk {
        @Test
        void an_effect_is_one_of_a_saga_that_nobody_knows() {
            scene.effects.add(new Effect("teller", "ghost", "b", Kind.FORWARD, "one", 0, 1));
            scene.breaks(Rule.CROSS_TALK, "saga=ghost", "alpha knows no such saga");
        }

        @Test
        void an_effect_is_one_of_another_service() {
            String saga = scene.committed("one");
            Effect effect = scene.effect(saga, "north", Kind.FORWARD);
            scene.effects.remove(effect);
            scene.effects.add(new Effect("south", saga, effect.branch(), Kind.FORWARD, "one", -7, 1));
            scene.breaks(Rule.CROSS_TALK, "service=south", "that branch is one of north");
        }

        @Test
        void two_transfers_share_a_saga() {
            String saga = scene.committed("one");
            scene.committed("two");
            scene.retell("two", t -> new Told("two", t.asked(), t.answered(), t.answer(), saga, t.steps()));
            scene.breaks(Rule.CROSS_TALK, saga + " is that of transfers");
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
            scene.breaks(Rule.CROSS_TALK, one + "/north", "in saga " + one);
        }

        @Test
        void a_callback_went_to_another_service() {
            String saga = scene.compensated("one");
            Instant at = Scene.START.plusSeconds(1);
            scene.callbacks.add(new Delivered("south", saga, saga + "/north", Kind.COMPENSATION, 1, at));
            scene.breaks(Rule.CROSS_TALK, "Service south", saga + "/north", "one of north");
        }

        @Test
        void two_sagas_of_one_transfer_are_a_second_try() {
            String one = scene.compensated("one");
            scene.committed("two");
            scene.retell("one", t -> new Told("two", t.asked(), t.answered(), t.answer(), one, t.steps()));
            scene.effects.replaceAll(
                    e -> new Effect(e.service(), e.saga(), e.branch(), e.kind(), "two", e.amount(), e.order()));
            scene.passes();
        }
    }

    @Nested
    class Money {
        @Test
        void money_is_gone_that_no_row_tells_of() {
            scene.committed("one");
            scene.steal("north", 5);
            scene.breaks(Rule.MONEY, "accounts of north", "988", "993");
        }

        @Test
        void money_moved_is_money_kept() {
            scene.committed("one");
            scene.compensated("two");
            scene.passes();
        }
    }
}
