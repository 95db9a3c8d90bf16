package io.alphaomega.omega.spring.payload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.alphaomega.omega.spring.BootUnderTest;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.Year;
import java.time.ZonedDateTime;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

/** What comes back of what was written, and what is refused instead of guessed. */
class StrictJsonTest {
    private final StrictJson json = new StrictJson();

    // ---- what comes back

    record Times(
            Instant instant,
            LocalDate date,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration duration,
            Year year,
            Map<DayOfWeek, List<Instant>> byDay) {}

    record Amount(BigDecimal value, @Nullable String currency, Optional<String> note, OptionalInt cents) {}

    enum Size {
        SMALL,
        LARGE {
            @Override
            public String toString() {
                return "the large one";
            }
        }
    }

    record Page<T>(List<T> items, @Nullable Page<T> next) {}

    /** State without accessors, and a getter that computes. */
    static final class Hidden {
        private int count;
        private @Nullable String secret;

        static Hidden of(int count, @Nullable String secret) {
            Hidden hidden = new Hidden();
            hidden.count = count;
            hidden.secret = secret;
            return hidden;
        }

        public int getTwice() {
            return count * 2;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hidden that && count == that.count && Objects.equals(secret, that.secret);
        }

        @Override
        public int hashCode() {
            return count;
        }
    }

    /** All fields final. */
    static final class Immutable {
        private final String name;
        private final long many;

        Immutable(@JsonProperty("name") String name, @JsonProperty("many") long many) {
            this.name = name;
            this.many = many;
        }

        public String getName() {
            return name;
        }

        public long getMany() {
            return many;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Immutable that && name.equals(that.name) && many == that.many;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    @JsonInclude(JsonInclude.Include.NON_NULL)
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Lenient(@Nullable String first, @Nullable String second) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Card.class, name = "card"), @JsonSubTypes.Type(Cash.class)})
    interface Payment {}

    record Card(String number) implements Payment {}

    record Cash() implements Payment {}

    record Street(String street, int number) {}

    record Person(String name, @JsonUnwrapped Street home) {}

    @Test
    void times_come_back_with_their_offsets_and_zones() {
        comesBack(
                Times.class,
                new Times(
                        Instant.parse("2026-11-24T10:00:00.123456789Z"),
                        LocalDate.parse("2026-11-24"),
                        OffsetDateTime.parse("2026-11-24T10:00:00+05:30"),
                        ZonedDateTime.parse("2026-11-24T10:00:00+01:00[Europe/Berlin]"),
                        Duration.ofNanos(1_500_000_001),
                        Year.of(2026),
                        Map.of(DayOfWeek.MONDAY, List.of(Instant.EPOCH))));
    }

    @Test
    void numbers_come_back_to_the_digit_and_nothing_as_nothing() {
        comesBack(
                Amount.class,
                new Amount(
                        new BigDecimal("12345678901234567890.100"),
                        null,
                        Optional.of("übrig \"\n]"),
                        OptionalInt.of(3)));
        comesBack(Amount.class, new Amount(new BigDecimal("0.10"), "€", Optional.empty(), OptionalInt.empty()));
        comesBack(long.class, Long.MAX_VALUE);
        comesBack(double.class, Double.NaN);
        comesBack(char.class, 'x');
    }

    @Test
    void generic_types_of_the_signature_come_back_as_declared() {
        comesBack(
                new ParameterizedTypeReference<Page<Amount>>() {}.getType(),
                new Page<>(
                        List.of(new Amount(BigDecimal.ONE, "€", Optional.empty(), OptionalInt.empty())),
                        new Page<>(List.of(), null)));
        comesBack(new ParameterizedTypeReference<Set<UUID>>() {}.getType(), Set.of(UUID.randomUUID()));
        comesBack(
                new ParameterizedTypeReference<EnumMap<Size, Integer>>() {}.getType(),
                new EnumMap<>(Map.of(Size.LARGE, 1)));
        comesBack(
                new ParameterizedTypeReference<Map<String, Long>>() {}.getType(),
                new LinkedHashMap<>(Map.of("a", 1L, "", 2L)));
        comesBack(Size.class, Size.LARGE);
    }

    @Test
    void state_comes_back_also_without_accessors() {
        comesBack(Hidden.class, Hidden.of(21, "s"));
        comesBack(Hidden.class, Hidden.of(0, null));
        comesBack(Immutable.class, new Immutable("a", 1));
        assertThat(written(Hidden.class, Hidden.of(1, null))).doesNotContain("twice");
    }

    @Test
    void a_type_may_say_itself_how_its_subtypes_are_told_apart() {
        Type payments = new ParameterizedTypeReference<List<Payment>>() {}.getType();
        comesBack(payments, List.of(new Card("4711"), new Cash()));
        comesBack(Payment.class, new Card("4711"));
        refuses(Payment.class, "{\"kind\":\"card\"}", "'number' of StrictJsonTest.Card is missing");
        refuses(Payment.class, "{\"kind\":\"card\",\"number\":\"1\",\"pin\":\"2\"}", "no property 'pin'");
    }

    @Test
    void unwrapped_properties_come_back() {
        comesBack(Person.class, new Person("Ada", new Street("Main", 1)));
    }

    @Test
    void what_was_written_by_the_rest_mapper_is_read_if_it_is_complete() throws Exception {
        readsAsRestWrites(Hidden2.class, new Hidden2("a"));
        readsAsRestWrites(Immutable.class, new Immutable("a", 1));
        readsAsRestWrites(
                Amount.class, new Amount(new BigDecimal("1.50"), null, Optional.of("n"), OptionalInt.empty()));
        readsAsRestWrites(Lenient.class, new Lenient("a", "b"));
        readsAsRestWrites(Payment.class, new Card("4711"));
        readsAsRestWrites(Person.class, new Person("Ada", new Street("Main", 1)));
        readsAsRestWrites(
                Times.class,
                new Times(
                        Instant.parse("2026-11-24T10:00:00.5Z"),
                        LocalDate.parse("2026-11-24"),
                        OffsetDateTime.parse("2026-11-24T10:00:00+05:30"),
                        ZonedDateTime.parse("2026-11-24T10:00:00+01:00"),
                        Duration.ofSeconds(90),
                        Year.of(2026),
                        Map.of(DayOfWeek.MONDAY, List.of(Instant.EPOCH))));
    }

    /** With a getter that computes: REST wrote that as well. */
    static final class Hidden2 {
        public String name;

        @JsonProperty
        private int calls;

        Hidden2() {
            this("");
        }

        Hidden2(String name) {
            this.name = name;
        }

        public String getUpper() {
            return name.toUpperCase(java.util.Locale.ROOT);
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Hidden2 that && name.equals(that.name) && calls == that.calls;
        }

        @Override
        public int hashCode() {
            return name.hashCode();
        }
    }

    record Renamed(
            @JsonAlias("nr") int number,
            @JsonProperty("called") String name) {}

    static class RenamedBean {
        @JsonAlias({"nr", "no"})
        private int number;

        public int getNumber() {
            return number;
        }
    }

    @Test
    void a_property_may_have_had_another_name() {
        comesBack(Renamed.class, new Renamed(1, "a"));
        byte[] old = "{\"nr\":1,\"called\":\"a\"}".getBytes(StandardCharsets.UTF_8);
        assertThat(json.decode(Renamed.class, old)).isEqualTo(new Renamed(1, "a"));
        assertThat(json.decode(RenamedBean.class, "{\"no\":7}".getBytes(StandardCharsets.UTF_8)))
                .extracting(each -> ((RenamedBean) each).number)
                .isEqualTo(7);
        assertThat(json.losses(Renamed.class).lost()).isEmpty();
        refuses(Renamed.class, "{\"nr\":1}", "'called' of StrictJsonTest.Renamed is missing");
    }

    // ---- what is refused

    @Test
    void nothing_is_guessed() {
        refuses(Street.class, "{\"street\":\"Main\"}", "'number' of StrictJsonTest.Street is missing");
        refuses(Street.class, "{}", "'street', 'number' of StrictJsonTest.Street are missing");
        refuses(
                Street.class,
                "{\"street\":\"Main\",\"nr\":1}",
                "StrictJsonTest.Street has no property 'nr', and 'number' of StrictJsonTest.Street is missing");
        refuses(Street.class, "{\"street\":\"Main\",\"number\":1,\"évil\\nline\":1}", "has no property '…'");
        refuses(Lenient.class, "{\"first\":\"a\",\"third\":\"c\"}", "has no property 'third', and 'second'");
        refuses(Hidden.class, "{\"secret\":null}", "'count' of StrictJsonTest.Hidden is missing");
        Type pages = new ParameterizedTypeReference<Page<Street>>() {}.getType();
        refuses(pages, "{\"items\":[{\"street\":\"Main\"}],\"next\":null}", "'number' of StrictJsonTest.Street");
    }

    @Test
    void no_value_is_taken_for_another() {
        for (String number : List.of("\"1\"", "1.5", "null", "true", "[1]", "\"\"")) {
            refuses(Street.class, "{\"street\":\"Main\",\"number\":" + number + "}", "");
        }
        refuses(Street.class, "{\"street\":\"Main\",\"street\":\"High\",\"number\":1}", "");
        refuses(Size.class, "0", "");
        refuses(Size.class, "\"HUGE\"", "");
        refuses(int.class, "1 2", "");
        refuses(boolean.class, "\"true\"", "");
    }

    static class Base {
        public String name = "";
    }

    static class More extends Base {
        public int extra = 1;
    }

    @Test
    void what_only_a_subclass_has_is_not_left_out_in_silence() {
        assertThatThrownBy(() -> json.encode(Base.class, new More()))
                .isInstanceOf(StrictJson.LossException.class)
                .hasMessageContaining("it is a More, of which only what Base has would be written");
    }

    // ---- what types tell

    record Ignoring(String what, @JsonIgnore int card) {}

    static class Loner {
        public final String name;

        Loner(String name, Object... rest) {
            this.name = name + rest.length;
        }
    }

    interface Thing {}

    @Test
    void types_tell_what_could_never_be_read() {
        assertThat(json.losses(Thing.class).unreadable())
                .singleElement()
                .asString()
                .contains("Thing is abstract");
        assertThat(json.losses(new ParameterizedTypeReference<Map<String, List<Thing>>>() {}.getType())
                        .unreadable())
                .hasSize(1);
        assertThat(json.losses(Payment.class).unreadable()).isEmpty();
        assertThat(json.losses(Loner.class).unreadable())
                .singleElement()
                .asString()
                .contains("Loner");
        refuses(Ignoring.class, "{\"what\":\"x\"}", "'card' of StrictJsonTest.Ignoring is missing");
        comesBack(Ignoring.class, new Ignoring("x", 4711));
        assertThat(json.losses(Ignoring.class).unreadable()).isEmpty();
        assertThat(json.losses(Ignoring.class).lost()).isEmpty();
        assertThat(json.losses(Ignoring.class).hidden())
                .singleElement()
                .asString()
                .contains("'card'");
        assertThat(json.losses(Object.class).lost()).hasSize(1);
    }

    @Test
    void types_that_come_back_whole_are_not_complained_of() {
        for (Type type : List.of(
                Times.class,
                Amount.class,
                Hidden.class,
                Hidden2.class,
                Immutable.class,
                Lenient.class,
                Person.class,
                Size.class,
                String.class,
                int.class,
                byte[].class,
                java.nio.file.Path.class,
                java.util.Locale.class,
                java.util.Currency.class,
                java.net.URI.class,
                Number.class,
                CharSequence.class,
                BootUnderTest.JSON_TREE,
                void.class,
                new ParameterizedTypeReference<Page<Street>>() {}.getType())) {
            assertThat(json.losses(type).lost()).as(type.getTypeName()).isEmpty();
            assertThat(json.losses(type).unreadable()).as(type.getTypeName()).isEmpty();
        }
    }

    // ----

    private void comesBack(Type type, Object value) {
        assertThat(json.decode(type, json.encode(type, value))).isEqualTo(value);
    }

    private void readsAsRestWrites(Type type, Object value) throws Exception {
        assertThat(json.decode(type, BootUnderTest.asRestWrites(type, value))).isEqualTo(value);
    }

    private String written(Type type, Object value) {
        return new String(json.encode(type, value), StandardCharsets.UTF_8);
    }

    private void refuses(Type type, String bytes, String sentence) {
        assertThatThrownBy(() -> json.decode(type, bytes.getBytes(StandardCharsets.UTF_8)))
                .as(bytes)
                .isInstanceOf(RuntimeException.class)
                .hasMessageContaining(sentence);
    }
}
