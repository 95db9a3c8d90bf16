package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.ValueDesk.Value.kept;
import static io.alphaomega.omega.spring.ValueDesk.Value.refused;

import io.alphaomega.omega.spring.ValueDesk.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.nio.file.Path;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.Period;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Calendar;
import java.util.Collection;
import java.util.Comparator;
import java.util.Currency;
import java.util.Date;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.GregorianCalendar;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.SimpleTimeZone;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;

/** Values of Java's own types: scalars, times, those of SQL, and containers. */
@SuppressWarnings({"JavaUtilDate", "UnnecessaryStringBuilder"}) // These are what it is about.
final class JavaValues {
    private static final Instant MOMENT = Instant.parse("2026-11-24T10:00:00.123456789Z");

    private JavaValues() {}

    // ---- scalars

    static class LongDesk extends ValueDesk<Long> {}

    static class DoubleDesk extends ValueDesk<Double> {}

    static class FloatArrayDesk extends ValueDesk<float[]> {}

    static class DecimalDesk extends ValueDesk<BigDecimal> {}

    static class IntegerDesk extends ValueDesk<BigInteger> {}

    static class TextDesk extends ValueDesk<String> {}

    static class CharactersDesk extends ValueDesk<char[]> {}

    static class BytesDesk extends ValueDesk<byte[]> {}

    static class MatrixDesk extends ValueDesk<int[][]> {}

    static class UuidDesk extends ValueDesk<UUID> {}

    static class UriDesk extends ValueDesk<URI> {}

    static class UrlDesk extends ValueDesk<URL> {}

    static class PathDesk extends ValueDesk<Path> {}

    static class LocaleDesk extends ValueDesk<Locale> {}

    static class CurrencyDesk extends ValueDesk<Currency> {}

    static class PatternDesk extends ValueDesk<Pattern> {}

    static class AtomicDesk extends ValueDesk<AtomicLong> {}

    static class BitsDesk extends ValueDesk<BitSet> {}

    static class NumberDesk extends ValueDesk<Number> {}

    static class CharSequenceDesk extends ValueDesk<CharSequence> {}

    static class ExceptionDesk extends ValueDesk<IllegalStateException> {}

    static List<Value> scalars() throws Exception {
        return List.of(
                kept(LongDesk.class, 9_007_199_254_740_993L),
                kept(LongDesk.class, null),
                kept(DoubleDesk.class, -0.0),
                kept(DoubleDesk.class, Double.NaN),
                kept(DoubleDesk.class, Double.MIN_VALUE),
                kept(FloatArrayDesk.class, new float[] {1.1f, Float.NEGATIVE_INFINITY}),
                kept(DecimalDesk.class, new BigDecimal("1.500")),
                kept(DecimalDesk.class, new BigDecimal("1E+3")),
                kept(DecimalDesk.class, new BigDecimal("0E-10")),
                kept(IntegerDesk.class, new BigInteger("123456789012345678901234567890")),
                kept(TextDesk.class, "😀 \u0000 \u2028"),
                kept(TextDesk.class, "half a character: \uD83D"),
                kept(CharactersDesk.class, "übrig".toCharArray()),
                kept(BytesDesk.class, new byte[] {0, -1, 127}),
                kept(MatrixDesk.class, new int[][] {{1, 2}, {}}),
                kept(UuidDesk.class, UUID.fromString("6f1c0b1e-9f2d-4d4e-8a6b-2c1d3e4f5a6b")),
                kept(UriDesk.class, URI.create("http://localhost/a?b=c")),
                kept(UrlDesk.class, new URL("http://localhost:8080/a?b=c#d")),
                kept(PathDesk.class, Path.of("/tmp/ü b")),
                kept(LocaleDesk.class, Locale.forLanguageTag("zh-Hant-TW-u-ca-roc")),
                kept(LocaleDesk.class, Locale.ROOT),
                refused(LocaleDesk.class, new Locale("no", "NO", "NY")),
                kept(CurrencyDesk.class, Currency.getInstance("EUR")),
                kept(PatternDesk.class, Pattern.compile("a+")),
                refused(PatternDesk.class, Pattern.compile("a+", Pattern.CASE_INSENSITIVE)),
                kept(AtomicDesk.class, new AtomicLong(7)),
                kept(NumberDesk.class, new BigDecimal("1.50")),
                kept(CharSequenceDesk.class, "text"),
                refused(CharSequenceDesk.class, new StringBuilder().append("text")),
                refused(ExceptionDesk.class, new IllegalStateException("why", new RuntimeException("cause"))));
    }

    // ---- times

    static class InstantDesk extends ValueDesk<Instant> {}

    static class LocalTimesDesk extends ValueDesk<Map<LocalDate, LocalDateTime>> {}

    static class OffsetDesk extends ValueDesk<OffsetDateTime> {}

    static class OffsetTimeDesk extends ValueDesk<OffsetTime> {}

    static class ZonedDesk extends ValueDesk<ZonedDateTime> {}

    static class DurationDesk extends ValueDesk<Duration> {}

    static class PeriodDesk extends ValueDesk<Period> {}

    static class DateDesk extends ValueDesk<Date> {}

    static class TimestampDesk extends ValueDesk<Timestamp> {}

    static class SqlDateDesk extends ValueDesk<java.sql.Date> {}

    static class SqlTimeDesk extends ValueDesk<Time> {}

    static class CalendarDesk extends ValueDesk<Calendar> {}

    static class GregorianDesk extends ValueDesk<GregorianCalendar> {}

    static class TimeZoneDesk extends ValueDesk<TimeZone> {}

    static List<Value> times() {
        Timestamp micros = Timestamp.from(MOMENT);
        Calendar berlin = new GregorianCalendar(TimeZone.getTimeZone("Europe/Berlin"), Locale.GERMANY);
        berlin.setTimeInMillis(MOMENT.toEpochMilli());
        GregorianCalendar strict = new GregorianCalendar(TimeZone.getTimeZone("GMT+05:30"), Locale.US);
        strict.setTimeInMillis(MOMENT.toEpochMilli());
        strict.setLenient(false);
        return List.of(
                kept(InstantDesk.class, MOMENT),
                kept(
                        LocalTimesDesk.class,
                        Map.of(LocalDate.EPOCH, LocalDateTime.parse("2026-11-24T10:00:00.000000001"))),
                kept(OffsetDesk.class, OffsetDateTime.parse("2026-11-24T10:00:00+05:30")),
                kept(OffsetTimeDesk.class, OffsetTime.of(LocalTime.NOON, java.time.ZoneOffset.ofHours(-3))),
                kept(ZonedDesk.class, ZonedDateTime.parse("2026-10-25T02:30:00+01:00[Europe/Berlin]")),
                kept(ZonedDesk.class, ZonedDateTime.parse("2026-10-25T02:30:00+02:00[Europe/Berlin]")),
                kept(DurationDesk.class, Duration.ofSeconds(-1, 1)),
                kept(PeriodDesk.class, Period.of(0, 14, -3)),
                kept(DateDesk.class, Date.from(MOMENT)),
                kept(TimestampDesk.class, micros),
                kept(TimestampDesk.class, new Timestamp(0)),
                kept(SqlDateDesk.class, new java.sql.Date(MOMENT.toEpochMilli())),
                kept(SqlTimeDesk.class, new Time(MOMENT.toEpochMilli())),
                kept(CalendarDesk.class, berlin),
                kept(GregorianDesk.class, strict),
                refused(
                        CalendarDesk.class,
                        new Calendar.Builder()
                                .setCalendarType("buddhist")
                                .setInstant(0)
                                .build()),
                kept(TimeZoneDesk.class, TimeZone.getTimeZone("Europe/Berlin")),
                refused(TimeZoneDesk.class, new SimpleTimeZone(3_600_000, "mine")));
    }

    // ---- containers

    static class LongsDesk extends ValueDesk<List<Long>> {}

    static class PricesDesk extends ValueDesk<Map<String, BigDecimal>> {}

    static class NumberedDesk extends ValueDesk<Map<Long, List<Instant>>> {}

    static class SetDesk extends ValueDesk<Set<String>> {}

    static class SortedSetDesk extends ValueDesk<SortedSet<String>> {}

    static class SortedMapDesk extends ValueDesk<SortedMap<String, Integer>> {}

    static class EnumMapDesk extends ValueDesk<EnumMap<DayOfWeek, Integer>> {}

    static class EnumSetDesk extends ValueDesk<EnumSet<DayOfWeek>> {}

    static class QueueDesk extends ValueDesk<Queue<Integer>> {}

    static class DequeDesk extends ValueDesk<Deque<String>> {}

    static class CollectionDesk extends ValueDesk<Collection<UUID>> {}

    static class OptionalDesk extends ValueDesk<Optional<Optional<Long>>> {}

    static class OptionalIntDesk extends ValueDesk<OptionalInt> {}

    static class OptionalLongsDesk extends ValueDesk<List<OptionalLong>> {}

    static class ArraysDesk extends ValueDesk<List<String>[]> {}

    static class NullsDesk extends ValueDesk<List<String>> {}

    /** Has state of its own. */
    static class Basket extends java.util.ArrayList<String> {
        private final String owner;

        Basket(String owner) {
            this.owner = owner;
        }

        String owner() {
            return owner;
        }
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    static List<Value> containers() {
        TreeSet<String> backwards = new TreeSet<>(Comparator.reverseOrder());
        backwards.addAll(List.of("a", "b"));
        Basket basket = new Basket("Ada");
        basket.add("book");
        Map<String, BigDecimal> prices = new LinkedHashMap<>();
        prices.put("z", new BigDecimal("0.10"));
        prices.put("a", new BigDecimal("1E+2"));
        Map<String, BigDecimal> nobody = new LinkedHashMap<>();
        nobody.put(null, BigDecimal.ONE);
        return List.of(
                kept(LongsDesk.class, List.of(1L, 2L)),
                kept(PricesDesk.class, prices),
                refused(PricesDesk.class, nobody),
                refused(PricesDesk.class, new TreeMap<>(Map.of("a", BigDecimal.ONE)) {
                    private final int more = 1;

                    @Override
                    public String toString() {
                        return super.toString() + more;
                    }
                }),
                kept(NumberedDesk.class, Map.of(5L, List.of(MOMENT))),
                kept(SetDesk.class, new LinkedHashSet<>(List.of("zebra", "apple", "mango", "x", "y"))),
                kept(SetDesk.class, Set.of("a", "b", "c", "d", "e", "f")),
                refused(SetDesk.class, backwards),
                kept(SortedSetDesk.class, new TreeSet<>(Set.of("b", "a"))),
                refused(SortedSetDesk.class, backwards),
                refused(SortedMapDesk.class, new TreeMap<>(String.CASE_INSENSITIVE_ORDER)),
                kept(EnumMapDesk.class, new EnumMap<>(Map.of(DayOfWeek.MONDAY, 1))),
                kept(EnumSetDesk.class, EnumSet.of(DayOfWeek.MONDAY, DayOfWeek.FRIDAY)),
                kept(QueueDesk.class, new ArrayDeque<>(List.of(3, 1))),
                refused(QueueDesk.class, new PriorityQueue<>(List.of(3, 1))),
                kept(DequeDesk.class, new ArrayDeque<>(List.of("a", "b"))),
                kept(CollectionDesk.class, Map.of(UUID.randomUUID(), 1).keySet()),
                kept(OptionalDesk.class, Optional.of(Optional.empty())),
                kept(OptionalDesk.class, Optional.of(Optional.of(1L))),
                kept(OptionalIntDesk.class, OptionalInt.of(0)),
                kept(OptionalLongsDesk.class, List.of(OptionalLong.empty(), OptionalLong.of(1))),
                kept(ArraysDesk.class, new List[] {List.of("a"), List.of()}),
                kept(NullsDesk.class, Arrays.asList("a", null)),
                refused(NullsDesk.class, basket));
    }
}
