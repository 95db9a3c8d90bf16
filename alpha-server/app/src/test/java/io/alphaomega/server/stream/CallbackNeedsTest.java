package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.saga.SagaId;
import io.alphaomega.server.http.WrittenSaga;
import io.alphaomega.server.saga.FaultyRepository;
import io.alphaomega.server.stream.CallbackNeeds.Lack;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which callbacks open sagas need that nobody offers, and at how many sagas alpha looks to know it. */
class CallbackNeedsTest {
    private final FaultyRepository store = new FaultyRepository();
    private final Instances instances = new Instances();
    private final MovingClock clock = new MovingClock();
    private Optional<Set<String>> elsewhere = Optional.of(Set.of());
    private final CallbackNeeds needs = new CallbackNeeds(store, instances, service -> elsewhere, clock);

    private void connects(String service, String instance, String... callbacks) {
        instances.connected(hello(service, instance, callbacks), clock.instant());
    }

    private static Hello hello(String service, String instance, String... callbacks) {
        return Hello.newBuilder()
                .setService(service)
                .setInstance(instance)
                .addAllCallbacks(List.of(callbacks))
                .build();
    }

    private List<Lack> look(String service) {
        needs.changed(service);
        needs.look(service);
        return needs.of(service);
    }

    @Test
    void sagas_that_run_wait_or_are_suspended_need_what_has_not_run_and_others_need_nothing() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");
        new WrittenSaga(store, "ended").begun("").began("hotel", "hotel").ended("hotel");
        new WrittenSaga(store, "waits").compensating().missed("hotel");
        new WrittenSaga(store, "suspended").suspended("");
        new WrittenSaga(store, "undone").compensating().compensated("hotel");
        new WrittenSaga(store, "committed")
                .begun("")
                .began("hotel", "hotel")
                .ended("hotel")
                .committed();
        new WrittenSaga(store, "failed").begun("").began("car", "car").failed("car", "none left");
        new WrittenSaga(store, "nested").begun("").began("ride", new SagaId("inner"));
        connects("hotel", "h-1", "rooms.free");
        connects("car", "c-1");
        connects("booking", "b-1");

        assertThat(look("hotel")).containsExactly(new Lack("rooms.cancel", 4, false));
        assertThat(look("car")).isEmpty();
        assertThat(look("booking")).isEmpty();
    }

    @Test
    void what_any_connected_instance_offers_is_not_missing() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");
        connects("hotel", "h-1");
        assertThat(look("hotel")).hasSize(1);

        connects("hotel", "h-2", "rooms.free", "rooms.cancel");
        assertThat(look("hotel")).isEmpty();

        instances.gone(hello("hotel", "h-2"), clock.instant());
        assertThat(look("hotel")).hasSize(1);
        elsewhere = Optional.of(Set.of("rooms.cancel"));
        assertThat(look("hotel")).isEmpty();
    }

    @Test
    void while_a_node_does_not_say_what_is_offered_there_nothing_is_missing_and_it_is_looked_at_again() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");
        connects("hotel", "h-1");
        elsewhere = Optional.empty();
        assertThat(look("hotel")).isEmpty();

        elsewhere = Optional.of(Set.of());
        needs.look("hotel");

        assertThat(needs.of("hotel")).hasSize(1);
    }

    @Test
    void a_service_of_which_no_instance_is_here_is_not_looked_at() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");

        assertThat(look("hotel")).isEmpty();
        assertThat(store.loads).hasValue(0);
    }

    @Test
    void of_thousands_of_sagas_a_bounded_number_is_looked_at_once_for_each_build() {
        List<WrittenSaga> sagas = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            sagas.add(new WrittenSaga(store, "runs-" + i).holding().begun("").began("hotel", "hotel"));
            sagas.add(new WrittenSaga(store, "waits-" + i)
                    .holding()
                    .compensating()
                    .missed("hotel"));
        }
        WrittenSaga.write(store, sagas);
        connects("hotel", "h-1");

        assertThat(look("hotel")).containsExactly(new Lack("rooms.cancel", 2 * CallbackNeeds.LOOKED_MAX, true));
        assertThat(store.loads).hasValue(2 * CallbackNeeds.LOOKED_MAX);

        needs.look("hotel");
        assertThat(store.loads).as("nothing has changed").hasValue(2 * CallbackNeeds.LOOKED_MAX);
    }

    @Test
    void what_is_missing_is_looked_at_again_after_a_minute_and_what_failed_as_well() {
        new WrittenSaga(store, "runs").begun("").began("hotel", "hotel");
        connects("hotel", "h-1");
        store.failingFinds.set(1);
        assertThat(look("hotel")).isEmpty();

        needs.lookAgain(Runnable::run);
        assertThat(needs.of("hotel")).as("at once would be too soon").isEmpty();

        clock.passAMinute();
        needs.lookAgain(Runnable::run);
        assertThat(needs.of("hotel")).hasSize(1);

        connects("hotel", "h-2", "rooms.cancel");
        needs.lookAgain(Runnable::run);
        assertThat(needs.of("hotel")).hasSize(1);
        clock.passAMinute();
        needs.lookAgain(Runnable::run);
        assertThat(needs.of("hotel")).isEmpty();
    }

    private static final class MovingClock extends Clock {
        private Instant time = WrittenSaga.BEGUN;

        void passAMinute() {
            time = time.plus(CallbackNeeds.AGAIN_AFTER).plusMillis(1);
        }

        @Override
        public Instant instant() {
            return time;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }
    }
}
