package io.alphaomega.omega.spring.payload;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.Month;
import java.time.MonthDay;
import java.time.OffsetDateTime;
import java.time.Period;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Currency;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

/**
 * What payloads look like, to the byte, whichever Jackson writes them: the file {@code payloads.txt} is the same for the
 * starters of Spring Boot 3 and 4, so what one has written the other reads, and a repeated call may go to either.
 * {@code -Drewrite} writes it anew; bytes that have been released never change.
 */
class PayloadCorpusTest {
    private static final String CORPUS = "payloads.txt";

    private final StrictJson json = new StrictJson();

    private record Sample(String name, Type type, @Nullable Object value) {}

    // ---- what is written

    enum Plain {
        FIRST,
        SECOND
    }

    enum Speaking {
        LOUD {
            @Override
            public String toString() {
                return "very loud";
            }
        }
    }

    record Texts(String slash, String emoji, String quoted, String control, String umlaut, char letter) {}

    record Numbers(
            byte b,
            short s,
            int i,
            long l,
            float f,
            double d,
            BigDecimal exact,
            BigDecimal scaled,
            BigDecimal zeroes,
            BigInteger big,
            @Nullable Integer none,
            boolean yes) {}

    record Dates(
            Instant instant,
            LocalDate date,
            LocalTime time,
            LocalDateTime dateTime,
            OffsetDateTime offset,
            ZonedDateTime zoned,
            Duration duration,
            Period period,
            Year year,
            YearMonth yearMonth,
            MonthDay monthDay,
            DayOfWeek day,
            Month month,
            ZoneId zone,
            Date old) {}

    record Names(UUID id, URI uri, Locale locale, Currency currency, TimeZone zone, Class<?> type) {}

    record Maybe(
            Optional<String> some,
            Optional<String> none,
            OptionalInt cents,
            OptionalLong many,
            OptionalDouble rate,
            @Nullable String nothing) {}

    record Containers(
            List<Integer> numbers,
            TreeSet<String> names,
            Map<String, Long> counts,
            Map<Plain, Instant> byEnum,
            Map<LocalDate, String> byDate,
            List<List<Plain>> nested) {}

    /** Neither in the order of the alphabet, nor of its constructor. */
    static class Bean {
        public String zebra = "z";
        private int apple = 1;

        @JsonProperty("renamed")
        private String mango = "m";

        protected long banana = 2;
        private transient int left = 3;

        public int getApple() {
            return apple;
        }

        public void setApple(int apple) {
            this.apple = apple;
        }

        public int getTwice() {
            return apple * 2 + left;
        }

        public String getMango() {
            return mango;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Bean that
                    && zebra.equals(that.zebra)
                    && apple == that.apple
                    && mango.equals(that.mango)
                    && banana == that.banana;
        }

        @Override
        public int hashCode() {
            return apple;
        }
    }

    static class Derived extends Bean {
        public String aardvark = "a";
    }

    record Recorded(
            String zulu, int alpha, @JsonProperty("mid") Plain middle) {}

    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Sparse(@Nullable String first, @Nullable String second) {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "kind")
    @JsonSubTypes({@JsonSubTypes.Type(value = Card.class, name = "card"), @JsonSubTypes.Type(Cash.class)})
    interface Payment {}

    record Card(String number, boolean gold) implements Payment {}

    record Cash() implements Payment {}

    record Street(String street, int number) {}

    record Person(String name, @JsonUnwrapped Street home) {}

    record Tree<T>(T value, List<Tree<T>> children) {}

    private static List<Sample> samples() {
        List<Sample> samples = new ArrayList<>();
        samples.add(new Sample(
                "texts",
                Texts.class,
                new Texts("a/b </script>", "😀 𝄞", "\"\\'", "\u0000\u0007\b\t\n\u001f\u007f\u2028", "übrig €", 'ß')));
        samples.add(new Sample(
                "numbers",
                Numbers.class,
                new Numbers(
                        (byte) -1,
                        Short.MAX_VALUE,
                        0,
                        Long.MIN_VALUE,
                        0.1f,
                        1.0E-7,
                        new BigDecimal("12345678901234567890.123"),
                        new BigDecimal("1E+3"),
                        new BigDecimal("1.500"),
                        new BigInteger("123456789012345678901234567890"),
                        null,
                        true)));
        samples.add(new Sample("doubles", double[].class, new double[] {Double.NaN, 1.0, -0.0, 1e21, 123456789.125}));
        samples.add(new Sample("floats", float[].class, new float[] {1.1f, 3.4e38f, Float.POSITIVE_INFINITY}));
        samples.add(new Sample(
                "dates",
                Dates.class,
                new Dates(
                        Instant.parse("2026-11-24T10:00:00.123456789Z"),
                        LocalDate.parse("2026-11-24"),
                        LocalTime.parse("10:00"),
                        LocalDateTime.parse("2026-11-24T10:00:00.5"),
                        OffsetDateTime.parse("2026-11-24T10:00:00+05:30"),
                        ZonedDateTime.parse("2026-11-24T10:00:00+01:00[Europe/Berlin]"),
                        Duration.ofNanos(1_500_000_001),
                        Period.of(1, 2, 3),
                        Year.of(2026),
                        YearMonth.of(2026, 11),
                        MonthDay.of(2, 29),
                        DayOfWeek.MONDAY,
                        Month.JANUARY,
                        ZoneId.of("Europe/Berlin"),
                        Date.from(Instant.parse("2026-11-24T10:00:00.123Z")))));
        samples.add(new Sample("utc", ZonedDateTime[].class, new ZonedDateTime[] {
            ZonedDateTime.parse("2026-11-24T10:00:00Z[UTC]"), ZonedDateTime.parse("2026-11-24T10:00:00Z")
        }));
        samples.add(new Sample(
                "names",
                Names.class,
                new Names(
                        UUID.fromString("6f1c0b1e-9f2d-4d4e-8a6b-2c1d3e4f5a6b"),
                        URI.create("http://localhost/a?b=c"),
                        Locale.forLanguageTag("de-CH"),
                        Currency.getInstance("EUR"),
                        TimeZone.getTimeZone("Europe/Berlin"),
                        String.class)));
        samples.add(new Sample(
                "maybe",
                Maybe.class,
                new Maybe(
                        Optional.of("x"),
                        Optional.empty(),
                        OptionalInt.of(3),
                        OptionalLong.empty(),
                        OptionalDouble.of(0.5),
                        null)));
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("z", 1L);
        counts.put("", 2L);
        samples.add(new Sample(
                "containers",
                Containers.class,
                new Containers(
                        List.of(1, 2),
                        new TreeSet<>(List.of("b", "a")),
                        counts,
                        new TreeMap<>(Map.of(Plain.SECOND, Instant.EPOCH)),
                        Map.of(LocalDate.EPOCH, "then"),
                        List.of(List.of(Plain.FIRST), List.of()))));
        samples.add(new Sample("speaking", Speaking.class, Speaking.LOUD));
        samples.add(new Sample(
                "speaking-keys",
                new ParameterizedTypeReference<Map<Speaking, Integer>>() {}.getType(),
                Map.of(Speaking.LOUD, 1)));
        samples.add(new Sample("bean", Bean.class, new Bean()));
        samples.add(new Sample("derived", Derived.class, new Derived()));
        samples.add(new Sample("recorded", Recorded.class, new Recorded("z", 1, Plain.FIRST)));
        samples.add(new Sample("sparse", Sparse.class, new Sparse(null, "s")));
        samples.add(new Sample("card", Payment.class, new Card("4711", true)));
        samples.add(new Sample(
                "payments",
                new ParameterizedTypeReference<List<Payment>>() {}.getType(),
                List.of(new Cash(), new Card("1", false))));
        samples.add(new Sample("unwrapped", Person.class, new Person("Ada", new Street("Main", 1))));
        samples.add(new Sample(
                "tree",
                new ParameterizedTypeReference<Tree<BigDecimal>>() {}.getType(),
                new Tree<>(BigDecimal.ONE, List.of(new Tree<>(new BigDecimal("2.50"), List.of())))));
        samples.add(new Sample("bytes", byte[].class, new byte[] {0, 1, -1, 127, 62, 63}));
        samples.add(new Sample("chars", char[].class, "abc".toCharArray()));
        samples.add(new Sample("nothing", String.class, null));
        samples.add(new Sample(
                "object", Object.class, new TreeMap<>(Map.of("a", List.of(1, "b", true), "c", new TreeMap<>()))));
        return samples;
    }

    @Test
    void every_starter_writes_the_same_bytes_and_reads_them() throws IOException {
        if (System.getProperty("rewrite") != null) write();
        Map<String, String> corpus = read();
        Map<String, String> written = new LinkedHashMap<>();
        for (Sample each : samples()) {
            written.put(each.name(), new String(json.encode(each.type(), each.value()), StandardCharsets.UTF_8));
        }
        assertThat(written).containsExactlyEntriesOf(corpus);
        for (Sample each : samples()) {
            byte[] bytes = Objects.requireNonNull(corpus.get(each.name())).getBytes(StandardCharsets.UTF_8);
            Object back = json.decode(each.type(), bytes);
            assertThat(Objects.deepEquals(back, each.value()))
                    .as(() -> each.name() + ": " + back)
                    .isTrue();
        }
    }

    @Test
    void what_interceptors_captured_is_written_alike_as_well() {
        byte[] arguments = "[\"a/b\"]".getBytes(StandardCharsets.UTF_8);
        byte[] bytes = new Envelope(new TreeMap<>(Map.of("tenant", "a/b", "user", "😀\n")), arguments).bytes();
        assertThat(new String(bytes, StandardCharsets.UTF_8))
                .isEqualTo("{\"captured\":{\"tenant\":\"a/b\",\"user\":\"😀\\n\"},\"arguments\":[\"a/b\"]}");
        Envelope back = Envelope.of(bytes);
        assertThat(back.captured()).containsExactlyInAnyOrderEntriesOf(Map.of("tenant", "a/b", "user", "😀\n"));
        assertThat(back.arguments()).isEqualTo(arguments);
    }

    private Map<String, String> read() throws IOException {
        Map<String, String> corpus = new LinkedHashMap<>();
        try (InputStream file = Objects.requireNonNull(PayloadCorpusTest.class.getResourceAsStream("/" + CORPUS))) {
            new String(file.readAllBytes(), StandardCharsets.UTF_8).lines().forEach(line -> {
                String[] parts = line.split(" ", 2);
                corpus.put(parts[0], parts[1]);
            });
        }
        return corpus;
    }

    private void write() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (Sample each : samples()) {
            lines.append(each.name()).append(' ');
            lines.append(new String(json.encode(each.type(), each.value()), StandardCharsets.UTF_8));
            lines.append('\n');
        }
        Files.writeString(Path.of("src/test/resources", CORPUS), lines);
        Files.writeString(Path.of("target/test-classes", CORPUS), lines);
    }
}
