package io.alphaomega.server.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.alphaomega.protocol.v1.Hello;
import io.alphaomega.server.stream.Instances.Instance;
import io.alphaomega.wire.WireInputs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which instances of which services a node says that it has seen. */
class InstancesTest {
    private static final Instant START = Instant.parse("2026-11-20T09:00:00Z");

    private final Instances instances = new Instances();

    private static Hello hello(String instance) {
        return Hello.newBuilder()
                .setService("hotel")
                .setInstance(instance)
                .setVersion("1.0")
                .addCallbacks("Rooms.cancel")
                .build();
    }

    @Test
    void an_instance_is_there_while_it_has_a_stream() {
        instances.connected(hello("one"), START);
        instances.connected(hello("one"), START.plusSeconds(5));
        instances.gone(hello("one"), START.plusSeconds(7));

        assertThat(instances.all(START.plusSeconds(9))).singleElement().satisfies(each -> {
            assertThat(each.streams()).isEqualTo(1);
            assertThat(each.since()).isEqualTo(START);
            assertThat(each.seen()).isEqualTo(START.plusSeconds(9));
            assertThat(each.callbacks()).containsExactly("Rooms.cancel");
        });
    }

    @Test
    void an_instance_has_the_build_that_it_says_and_an_older_one_that_for_which_sagas_take_it() {
        Hello older = hello("one");
        instances.connected(older, START);
        instances.connected(hello("two").toBuilder().setBuild("2.1-3f2a9c1b").build(), START);
        instances.gone(hello("two"), START);

        assertThat(instances.all(START))
                .extracting(Instance::instance, Instance::build)
                .containsExactly(tuple("two", "2.1-3f2a9c1b"), tuple("one", WireInputs.build(older)));
    }

    @Test
    void one_that_is_gone_is_remembered_for_an_hour_and_not_for_longer() {
        instances.connected(hello("one"), START);
        instances.gone(hello("one"), START.plusSeconds(7));

        List<Instance> soon = instances.all(START.plusSeconds(7).plus(Duration.ofHours(1)));
        assertThat(soon).singleElement().satisfies(each -> {
            assertThat(each.streams()).isZero();
            assertThat(each.seen()).isEqualTo(START.plusSeconds(7));
        });
        assertThat(instances.all(START.plusSeconds(8).plus(Duration.ofHours(1))))
                .isEmpty();
    }

    @Test
    void of_those_that_are_gone_the_last_are_remembered() {
        for (int i = 0; i <= Instances.GONE_MAX; i++) {
            instances.connected(hello("i" + i), START);
            instances.gone(hello("i" + i), START);
        }

        assertThat(instances.all(START))
                .hasSize(Instances.GONE_MAX)
                .extracting(Instance::instance)
                .doesNotContain("i0");
    }
}
