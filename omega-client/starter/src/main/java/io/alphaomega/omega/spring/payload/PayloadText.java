package io.alphaomega.omega.spring.payload;

import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Calendar;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import java.util.function.Function;

/**
 * The text that a value of one of Java's types is written as, where Jackson's would not bring it back whole.
 *
 * @param type the exact class
 */
@SuppressWarnings("JavaUtilDate") // These are what it is about.
record PayloadText<T>(Class<T> type, Function<T, String> write, Function<String, T> read) {
    /** As Jackson writes a date. */
    private static final DateTimeFormatter MILLIS =
            new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

    private static final int NANOS_OF_A_MILLI = 1_000_000;

    static final List<PayloadText<?>> ALL = List.of(
            new PayloadText<>(Timestamp.class, PayloadText::text, text -> Timestamp.from(Instant.parse(text))),
            new PayloadText<>(Date.class, PayloadText::millis, text -> new Date(millis(text))),
            new PayloadText<>(Time.class, PayloadText::millis, text -> new Time(millis(text))),
            new PayloadText<>(GregorianCalendar.class, PayloadText::text, PayloadText::calendar),
            new PayloadText<>(Calendar.class, PayloadText::text, PayloadText::calendar));

    private static String text(Timestamp time) {
        Instant instant = time.toInstant();
        return time.getNanos() % NANOS_OF_A_MILLI == 0 ? MILLIS.format(instant) : instant.toString();
    }

    private static String millis(java.util.Date date) {
        return MILLIS.format(Instant.ofEpochMilli(date.getTime()));
    }

    private static long millis(String text) {
        return Instant.parse(text).toEpochMilli();
    }

    /** Also what its locale has said of weeks, and when its Julian days end. */
    private static String text(Calendar calendar) {
        if (!(calendar instanceof GregorianCalendar gregorian)) {
            throw new IllegalArgumentException("only a GregorianCalendar can be written");
        }
        return String.join(
                " ",
                MILLIS.format(gregorian.toInstant()),
                gregorian.getTimeZone().getID(),
                String.valueOf(gregorian.getFirstDayOfWeek()),
                String.valueOf(gregorian.getMinimalDaysInFirstWeek()),
                String.valueOf(gregorian.isLenient()),
                MILLIS.format(gregorian.getGregorianChange().toInstant()));
    }

    private static GregorianCalendar calendar(String text) {
        String[] parts = text.split(" ", -1);
        if (parts.length != 6) throw new IllegalArgumentException("no calendar of omega's");
        GregorianCalendar calendar = new GregorianCalendar(TimeZone.getTimeZone(parts[1]));
        calendar.setGregorianChange(new java.util.Date(millis(parts[5])));
        calendar.setFirstDayOfWeek(Integer.parseInt(parts[2]));
        calendar.setMinimalDaysInFirstWeek(Integer.parseInt(parts[3]));
        calendar.setLenient(Boolean.parseBoolean(parts[4]));
        calendar.setTimeInMillis(millis(parts[0]));
        return calendar;
    }

    /** Without its type. */
    String written(Object value) {
        return write.apply(type.cast(value));
    }
}
