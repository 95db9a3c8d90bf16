package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.ValueDesk.Value.kept;
import static io.alphaomega.omega.spring.ValueDesk.Value.refused;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonValue;
import io.alphaomega.omega.spring.ValueDesk.Value;
import java.beans.ConstructorProperties;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.io.Serializable;
import java.math.BigDecimal;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDate;
import java.time.MonthDay;
import java.time.Year;
import java.time.YearMonth;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.Properties;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Values whose types say little, keys of maps, and classes that are built in other ways. */
@SuppressWarnings({"UnusedVariable", "JavaUtilDate", "JdkObsolete"}) // Fields and types as users have them.
final class MoreValues {
    private static final Instant MOMENT = Instant.parse("2026-11-24T10:00:00.123456789Z");

    private MoreValues() {}

    // ---- what the type does not say

    static class ObjectDesk extends ValueDesk<Object> {}

    record Loose(Object any, @Nullable List<Object> more) {}

    static class LooseDesk extends ValueDesk<Loose> {}

    static class ObjectsDesk extends ValueDesk<Object[]> {}

    static class NumbersDesk extends ValueDesk<List<Number>> {}

    static class WildcardDesk extends ValueDesk<Map<String, ? extends Number>> {}

    record Seat(String row, int number) {}

    static List<Value> untyped() {
        return List.of(
                kept(ObjectDesk.class, "text"),
                kept(ObjectDesk.class, 7),
                kept(ObjectDesk.class, true),
                kept(ObjectDesk.class, List.of("a", List.of(1, 2))),
                kept(ObjectDesk.class, new LinkedHashMap<>(Map.of("a", 1))),
                refused(ObjectDesk.class, 7L),
                kept(ObjectDesk.class, 9_007_199_254_740_993L),
                kept(ObjectDesk.class, new BigDecimal("1.50")),
                refused(ObjectDesk.class, 1.5d),
                refused(ObjectDesk.class, 1.5f),
                refused(ObjectDesk.class, LocalDate.EPOCH),
                refused(ObjectDesk.class, UUID.randomUUID()),
                refused(ObjectDesk.class, DayOfWeek.MONDAY),
                refused(ObjectDesk.class, new Seat("A", 1)),
                refused(ObjectDesk.class, Set.of("a")),
                refused(ObjectDesk.class, new ArrayDeque<>(List.of("a"))),
                refused(ObjectDesk.class, List.of(Set.of("a"))),
                kept(ObjectDesk.class, new LinkedList<>(List.of("a"))),
                refused(LooseDesk.class, new Loose(Set.of("a"), null)),
                refused(LooseDesk.class, new Loose("text", List.of(Set.of("a")))),
                refused(ObjectDesk.class, Optional.of("a")),
                refused(ObjectDesk.class, 'c'),
                kept(LooseDesk.class, new Loose("text", List.of(1))),
                refused(LooseDesk.class, new Loose(1L, null)),
                refused(LooseDesk.class, new Loose("text", List.of(MOMENT))),
                refused(LooseDesk.class, new Loose(new Seat("A", 1), null)),
                kept(ObjectsDesk.class, new Object[] {"a", 1}),
                refused(ObjectsDesk.class, new Object[] {"a", 1L}),
                kept(NumbersDesk.class, List.of(1)),
                refused(NumbersDesk.class, List.of(1.1f)),
                refused(NumbersDesk.class, List.of(1L)),
                refused(WildcardDesk.class, Map.of("a", 1L)));
    }

    // ---- keys

    enum Loud {
        LOW,
        HIGH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    enum Coded {
        ONE("1"),
        TWO("2");

        private final String code;

        Coded(String code) {
            this.code = code;
        }

        @JsonValue
        String code() {
            return code;
        }
    }

    enum Swapped {
        @JsonProperty("B")
        A,
        @JsonProperty("A")
        B
    }

    record Code(@JsonValue String text) {}

    static class EnumKeysDesk extends ValueDesk<Map<DayOfWeek, Integer>> {}

    static class LoudKeysDesk extends ValueDesk<Map<Loud, Loud>> {}

    enum Numbered {
        ONE(1),
        TWO(2);

        @JsonValue
        private final int number;

        Numbered(int number) {
            this.number = number;
        }
    }

    static class NumberedDesk extends ValueDesk<Map<Numbered, Numbered>> {}

    static class CodedDesk extends ValueDesk<List<Coded>> {}

    static class CodedKeysDesk extends ValueDesk<Map<Coded, Coded>> {}

    static class SwappedDesk extends ValueDesk<List<Swapped>> {}

    static class SwappedKeysDesk extends ValueDesk<Map<Swapped, Swapped>> {}

    static class UuidKeysDesk extends ValueDesk<Map<UUID, Seat>> {}

    static class DateKeysDesk extends ValueDesk<Map<LocalDate, Integer>> {}

    static class InstantKeysDesk extends ValueDesk<Map<Instant, Integer>> {}

    static class ZonedKeysDesk extends ValueDesk<Map<ZonedDateTime, Integer>> {}

    static class OldDateKeysDesk extends ValueDesk<Map<Date, Integer>> {}

    static class DecimalKeysDesk extends ValueDesk<Map<BigDecimal, Integer>> {}

    static class DoubleKeysDesk extends ValueDesk<Map<Double, Integer>> {}

    static class LocaleKeysDesk extends ValueDesk<Map<Locale, Integer>> {}

    static class ClassKeysDesk extends ValueDesk<Map<Class<?>, Integer>> {}

    static class BooleanKeysDesk extends ValueDesk<Map<Boolean, Integer>> {}

    static class CharacterKeysDesk extends ValueDesk<Map<Character, Integer>> {}

    static class TextKeysDesk extends ValueDesk<Map<String, Integer>> {}

    static class CodeKeysDesk extends ValueDesk<Map<Code, Integer>> {}

    static class ObjectKeysDesk extends ValueDesk<Map<Object, Integer>> {}

    static List<Value> keys() {
        return List.of(
                kept(EnumKeysDesk.class, Map.of(DayOfWeek.MONDAY, 1)),
                kept(LoudKeysDesk.class, Map.of(Loud.HIGH, Loud.LOW)),
                kept(CodedDesk.class, List.of(Coded.TWO, Coded.ONE)),
                kept(CodedKeysDesk.class, Map.of(Coded.TWO, Coded.ONE)),
                kept(NumberedDesk.class, Map.of(Numbered.TWO, Numbered.ONE)),
                kept(SwappedDesk.class, List.of(Swapped.A, Swapped.B)),
                kept(UuidKeysDesk.class, Map.of(UUID.randomUUID(), new Seat("A", 1))),
                kept(DateKeysDesk.class, Map.of(LocalDate.EPOCH, 1)),
                kept(InstantKeysDesk.class, Map.of(MOMENT, 1)),
                kept(ZonedKeysDesk.class, Map.of(MOMENT.atZone(ZoneId.of("Europe/Berlin")), 1)),
                kept(OldDateKeysDesk.class, Map.of(Date.from(MOMENT), 1)),
                refused(OldDateKeysDesk.class, Map.of(Timestamp.from(MOMENT), 1)),
                kept(DecimalKeysDesk.class, Map.of(new BigDecimal("1.50"), 1)),
                kept(DoubleKeysDesk.class, Map.of(0.1, 1, Double.NaN, 2)),
                kept(LocaleKeysDesk.class, Map.of(Locale.CHINA, 1)),
                kept(ClassKeysDesk.class, Map.of(String.class, 1)),
                kept(BooleanKeysDesk.class, Map.of(true, 1)),
                kept(CharacterKeysDesk.class, Map.of('c', 1)),
                kept(TextKeysDesk.class, Map.of("", 1, "ü\u0000\"", 2)),
                refused(TextKeysDesk.class, Map.of("half \uD83D", 1)),
                refused(TextKeysDesk.class, Map.of("half \uDE00", 1, "whole \uD83D\uDE00", 2)),
                refused(TextKeysDesk.class, Map.of("\uD83D", 1, "\uDE00", 2)),
                kept(TextKeysDesk.class, Map.of("\uD7FF \uE000 \uD83D\uDE00", 1)),
                kept(CodeKeysDesk.class, Map.of(new Code("a"), 1)),
                kept(ObjectKeysDesk.class, Map.of("a", 1)),
                refused(ObjectKeysDesk.class, Map.of(1, 1)));
    }

    // ---- how a class is built

    static final class Named {
        private final String first;
        private final int many;

        @ConstructorProperties({"first", "many"})
        Named(String itsFirst, int itsMany) {
            this.first = itsFirst;
            this.many = itsMany;
        }
    }

    static class NamedDesk extends ValueDesk<Named> {}

    /** Setters that return the object, and have no prefix. */
    static class Fluent {
        private String name = "";
        private @Nullable LocalDate day;

        Fluent name(String value) {
            name = value;
            return this;
        }

        public Fluent setDay(LocalDate value) {
            day = value.plusDays(1);
            return this;
        }
    }

    static class FluentDesk extends ValueDesk<Fluent> {}

    static class Above {
        private String name = "above";
    }

    /** Has a field of the same name as its superclass. */
    static class Below extends Above {
        private String name = "below";

        Below named(String value) {
            name = value;
            ((Above) this).name = "above " + value;
            return this;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Below it && names().equals(it.names());
        }

        @Override
        public int hashCode() {
            return names().hashCode();
        }

        private List<String> names() {
            return List.of(name, ((Above) this).name);
        }
    }

    static class BelowDesk extends ValueDesk<Below> {}

    enum Kind {
        PLAIN,
        SPECIAL {
            @Override
            int size() {
                return 2;
            }
        };

        int size() {
            return 1;
        }
    }

    static class KindDesk extends ValueDesk<Kind> {}

    record Pair<A, B>(A one, B other) {}

    static class PairDesk extends ValueDesk<Pair<List<Long>, Map<UUID, Optional<BigDecimal>>>> {}

    static class SeatsDesk extends ValueDesk<Seat[][]> {}

    static class OptionalsDesk extends ValueDesk<List<Optional<Seat>>> {}

    static class DeepDesk extends ValueDesk<Map<String, List<Map<UUID, Set<Instant>>>>> {}

    static class CopiesDesk extends ValueDesk<List<Seat>> {}

    static class MapsDesk extends ValueDesk<Map<String, Seat>> {}

    static List<Value> built() {
        Seat seat = new Seat("A", 1);
        return List.of(
                kept(NamedDesk.class, new Named("Ada", 2)),
                kept(FluentDesk.class, new Fluent().name("Ada").setDay(LocalDate.EPOCH)),
                refused(BelowDesk.class, new Below().named("other")),
                kept(KindDesk.class, Kind.SPECIAL),
                kept(
                        PairDesk.class,
                        new Pair<>(List.of(1L), Map.of(UUID.randomUUID(), Optional.of(new BigDecimal("1.50"))))),
                kept(SeatsDesk.class, new Seat[][] {{seat, null}, {}}),
                kept(OptionalsDesk.class, List.of(Optional.of(seat), Optional.empty())),
                kept(DeepDesk.class, Map.of("a", List.of(Map.of(UUID.randomUUID(), Set.of(MOMENT))))),
                kept(CopiesDesk.class, Collections.unmodifiableList(Arrays.asList(seat, seat))),
                kept(CopiesDesk.class, Collections.synchronizedList(Arrays.asList(seat))),
                kept(CopiesDesk.class, Collections.nCopies(2, seat)),
                kept(CopiesDesk.class, List.of(seat, seat, seat).subList(1, 2)),
                kept(CopiesDesk.class, List.of(seat).stream().toList()),
                kept(CopiesDesk.class, Collections.emptyList()),
                kept(MapsDesk.class, Collections.singletonMap("a", seat)),
                kept(MapsDesk.class, Collections.unmodifiableMap(new HashMap<>(Map.of("a", seat)))),
                kept(MapsDesk.class, Map.of("a", seat)));
    }

    // ---- what leads back to itself

    static class Ring {
        private String name = "o";
        private @Nullable Ring next;

        Ring round() {
            next = this;
            return this;
        }

        static Ring chain(int links) {
            Ring ring = new Ring();
            for (int i = 1; i < links; i++) {
                Ring before = new Ring();
                before.next = ring;
                ring = before;
            }
            return ring;
        }
    }

    static class RingDesk extends ValueDesk<Ring> {}

    static List<Value> rings() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("self", map);
        Object[] array = new Object[1];
        array[0] = array;
        List<Object> list = new java.util.ArrayList<>();
        list.add(Map.of("list", list));
        return List.of(
                kept(RingDesk.class, Ring.chain(10)),
                refused(RingDesk.class, new Ring().round()),
                refused(RingDesk.class, Ring.chain(50_000)),
                refused(ObjectDesk.class, map),
                refused(ObjectDesk.class, list),
                refused(ObjectsDesk.class, array));
    }

    // ---- types of Java's that are rarely passed

    static class CharsetDesk extends ValueDesk<Charset> {}

    static class AddressDesk extends ValueDesk<InetAddress> {}

    static class FileDesk extends ValueDesk<File> {}

    static class BuilderDesk extends ValueDesk<StringBuilder> {}

    static class ReferenceDesk extends ValueDesk<AtomicReference<Long>> {}

    static class FlagDesk extends ValueDesk<AtomicBoolean> {}

    static class BufferDesk extends ValueDesk<ByteBuffer> {}

    static class YearDesk extends ValueDesk<Year> {}

    static class YearMonthDesk extends ValueDesk<YearMonth> {}

    static class MonthDayDesk extends ValueDesk<MonthDay> {}

    static class ZoneDesk extends ValueDesk<ZoneId> {}

    static class PropertiesDesk extends ValueDesk<Properties> {}

    static class EntryDesk extends ValueDesk<Map.Entry<String, Long>> {}

    static class IterableDesk extends ValueDesk<Iterable<String>> {}

    static class LinkedDesk extends ValueDesk<LinkedList<Long>> {}

    static class ConcurrentDesk extends ValueDesk<ConcurrentHashMap<String, Long>> {}

    static class ClassDesk extends ValueDesk<Class<?>> {}

    static class CharacterDesk extends ValueDesk<Character> {}

    static class OptionalDoubleDesk extends ValueDesk<OptionalDouble> {}

    static class SqlDateAsDateDesk extends ValueDesk<Date> {}

    static List<Value> rare() throws Exception {
        Properties defaults = new Properties();
        defaults.setProperty("a", "1");
        Properties hidden = new Properties(defaults);
        return List.of(
                kept(CharsetDesk.class, StandardCharsets.UTF_16BE),
                kept(AddressDesk.class, InetAddress.getByAddress(new byte[] {127, 0, 0, 1})),
                refused(AddressDesk.class, InetAddress.getByAddress("not.looked.up", new byte[] {10, 0, 0, 1})),
                kept(FileDesk.class, new File("/tmp/ü")),
                kept(BuilderDesk.class, new StringBuilder("text")),
                kept(ReferenceDesk.class, new AtomicReference<>(1L)),
                kept(FlagDesk.class, new AtomicBoolean(true)),
                kept(BufferDesk.class, ByteBuffer.wrap(new byte[] {1, 2})),
                kept(BufferDesk.class, ByteBuffer.wrap(new byte[] {1, 2, 3}).position(1)),
                kept(YearDesk.class, Year.of(-1)),
                kept(YearMonthDesk.class, YearMonth.of(2026, 11)),
                kept(MonthDayDesk.class, MonthDay.of(2, 29)),
                kept(ZoneDesk.class, ZoneId.of("Europe/Berlin")),
                kept(ZoneDesk.class, ZoneOffset.ofHours(5)),
                kept(PropertiesDesk.class, defaults),
                refused(PropertiesDesk.class, hidden),
                kept(EntryDesk.class, Map.entry("a", 1L)),
                kept(IterableDesk.class, List.of("a")),
                kept(LinkedDesk.class, new LinkedList<>(List.of(1L))),
                kept(ConcurrentDesk.class, new ConcurrentHashMap<>(Map.of("a", 1L))),
                kept(ClassDesk.class, Map.Entry.class),
                kept(ClassDesk.class, int[].class),
                kept(ClassDesk.class, int.class),
                kept(CharacterDesk.class, '\uD83D'),
                kept(CharacterDesk.class, '\0'),
                kept(OptionalDoubleDesk.class, OptionalDouble.of(Double.NaN)),
                refused(SqlDateAsDateDesk.class, Timestamp.from(MOMENT)),
                refused(SqlDateAsDateDesk.class, new java.sql.Date(0)));
    }

    // ---- what no desk can take

    @SuppressWarnings("ClassCanBeStatic") // That it holds the outer object is why it is refused.
    class Inner {
        private int value = 1;
    }

    static class InnerDesk extends ValueDesk<Inner> {}

    static class RecordKeysDesk extends ValueDesk<Map<Seat, Integer>> {}

    static class ArrayKeysDesk extends ValueDesk<Map<byte[], Integer>> {}

    static class StreamDesk extends ValueDesk<Stream<String>> {}

    static class IteratorDesk extends ValueDesk<Iterator<String>> {}

    static class SerializableDesk extends ValueDesk<Serializable> {}

    static class ComparableDesk extends ValueDesk<Comparable<String>> {}

    static class ThreadDesk extends ValueDesk<Thread> {}

    static class InputDesk extends ValueDesk<InputStream> {}

    static class SupplierDesk extends ValueDesk<Supplier<String>> {}

    static class KeysInsideDesk extends ValueDesk<Pair<String, Map<Seat, Integer>>> {}

    /** Of each the service does not start, or the call is refused. */
    static List<Value> never() {
        Seat seat = new Seat("A", 1);
        return List.of(
                refused(InnerDesk.class, new MoreValues().new Inner()),
                refused(RecordKeysDesk.class, Map.of(seat, 1)),
                refused(ArrayKeysDesk.class, Map.of(new byte[] {1}, 1)),
                refused(StreamDesk.class, Stream.of("a")),
                refused(IteratorDesk.class, List.of("a").iterator()),
                refused(SerializableDesk.class, 1L),
                refused(ComparableDesk.class, "a"),
                refused(ThreadDesk.class, new Thread(() -> {})),
                refused(InputDesk.class, new ByteArrayInputStream(new byte[] {1})),
                refused(SupplierDesk.class, () -> "a"),
                refused(KeysInsideDesk.class, new Pair<>("a", Map.of(seat, 1))));
    }
}
