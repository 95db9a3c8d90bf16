package io.alphaomega.omega.spring.startup;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.config.OmegaProperties;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.stream.AlphaClient;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.boot.info.BuildProperties;

/** Which build of its service an instance says it is. */
class ServiceBuildTest {
    record Seat(String row) {}

    record Ticket(List<Seat> seats, Class1 travelClass) {}

    record WiderTicket(List<WiderSeat> seats, Class1 travelClass) {}

    record WiderSeat(String row, int number) {}

    enum Class1 {
        FIRST
    }

    enum Class2 {
        FIRST,
        SECOND
    }

    sealed interface Fare permits Single {}

    record Single(long cents) implements Fare {}

    private static String build(String version, Set<String> keys, Type... arguments) {
        OfferedCallbacks callbacks = new OfferedCallbacks();
        try {
            callbacks.offer(
                    "bean",
                    new CallbackMethod(
                            CallbackFinder.Role.COMPENSATION,
                            "cancel",
                            List.of(),
                            Object.class.getMethod("toString"),
                            List.of(arguments),
                            false,
                            void.class,
                            ""));
        } catch (NoSuchMethodException e) {
            throw new AssertionError(e);
        }
        return ServiceBuild.of("", null, version, callbacks, keys).name();
    }

    @Test
    void it_is_the_version_and_what_decides_what_can_be_read() {
        String build = build("1.4.2", Set.of(), Ticket.class);

        assertThat(build).matches("1\\.4\\.2-[0-9a-f]{8}").isEqualTo(build("1.4.2", Set.of(), Ticket.class));
        assertThat(build).isNotEqualTo(build("1.4.3", Set.of(), Ticket.class));
        assertThat(build("", Set.of(), Ticket.class)).matches("[0-9a-f]{8}");
    }

    @Test
    void another_field_however_deep_is_another_build() {
        assertThat(shape(Ticket.class)).isNotEqualTo(shape(WiderTicket.class));
        assertThat(shape(Seat.class)).isNotEqualTo(shape(WiderSeat.class));
        assertThat(shape(Seat.class, Fare.class)).isNotEqualTo(shape(Seat.class));
    }

    private static String shape(Type... types) {
        return build("", Set.of(), types);
    }

    @Test
    void another_constant_of_an_enum_and_another_key_are_another_build() {
        assertThat(build("1", Set.of(), Class1.class)).isNotEqualTo(build("1", Set.of(), Class2.class));
        assertThat(build("1", Set.of("k1"), Seat.class)).isNotEqualTo(build("1", Set.of("k1", "k2"), Seat.class));
    }

    @Test
    void a_long_version_leaves_room_for_the_checksum() {
        String build = build("1".repeat(300), Set.of(), Seat.class);

        assertThat(build).hasSizeLessThanOrEqualTo(OmegaProperties.BUILD_CHARS_MAX);
        assertThat(build).isNotEqualTo(build("1".repeat(300), Set.of(), WiderSeat.class));
    }

    @Test
    void what_the_build_tool_says_goes_before_the_manifest_and_tells_snapshots_apart() {
        assertThat(built("1791979200000")).startsWith("2.0-SNAPSHOT+1791979200-");
        assertThat(built("1791979200000")).isNotEqualTo(built("1791979201000"));
    }

    private static String built(String time) {
        Properties said = new Properties();
        said.setProperty("version", "2.0-SNAPSHOT");
        said.setProperty("time", time);
        return ServiceBuild.of("", new BuildProperties(said), "1.4", new OfferedCallbacks(), Set.of())
                .name();
    }

    @Test
    void an_instance_says_it_in_its_hello() {
        Applications.plain()
                .withPropertyValues("spring.application.version=1.4.2")
                .run(context -> assertThat(
                                context.getBean(AlphaClient.class).hello().getBuild())
                        .startsWith("1.4.2-"));
        Applications.plain()
                .withPropertyValues("omega.build=blue")
                .run(context -> assertThat(
                                context.getBean(AlphaClient.class).hello().getBuild())
                        .isEqualTo("blue"));
    }
}
