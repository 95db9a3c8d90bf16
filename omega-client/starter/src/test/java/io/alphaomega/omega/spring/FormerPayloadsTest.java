package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonFormat;
import io.alphaomega.omega.spring.AnnotatedValues.Former;
import io.alphaomega.omega.spring.payload.StrictJson;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.sql.Timestamp;
import java.time.Instant;
import java.time.LocalDate;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.List;
import java.util.TimeZone;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What earlier builds wrote, when annotations and getters had their say, is read as they read it. */
@SuppressWarnings("JavaUtilDate") // These are what it is about.
class FormerPayloadsTest {
    private static final String MOMENT = "2026-11-24T10:00:00.123Z";

    private final StrictJson json = new StrictJson();

    @Test
    void times_of_sql_are_read_as_they_were_written() {
        Instant moment = Instant.parse(MOMENT);
        reads(Timestamp.class, quoted(MOMENT), Timestamp.from(moment));
        reads(java.sql.Date.class, quoted("2026-11-24"), new java.sql.Date(startOf("2026-11-24")));
        reads(java.sql.Time.class, quoted(MOMENT), new java.sql.Time(moment.toEpochMilli()));
        Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"));
        calendar.setTimeInMillis(moment.toEpochMilli());
        assertThat(read(Calendar.class, quoted(MOMENT)))
                .extracting(each -> ((Calendar) each).getTimeInMillis())
                .isEqualTo(calendar.getTimeInMillis());
        assertThat(read(Pattern.class, quoted("a+"))).hasToString("a+");
    }

    @Test
    void formats_that_a_class_had_said_are_read() {
        String written = "{\"date\":\"2026-11-24\",\"day\":\"24.11.2026\",\"instant\":1795514400.123000000,"
                + "\"note\":null,\"tel\":\"138****5678\"}";
        ClassValues.Shown shown = (ClassValues.Shown) read(ClassValues.Shown.class, written);
        assertThat(shown)
                .hasFieldOrPropertyWithValue("day", LocalDate.parse("2026-11-24"))
                .hasFieldOrPropertyWithValue("instant", Instant.parse(MOMENT));
        assertThat(shown).extracting("date").isEqualTo(Date.from(Instant.parse("2026-11-23T16:00:00Z")));
    }

    record Dated(
            @JsonFormat(pattern = "yyyy-MM-dd", timezone = "Asia/Shanghai")
            Date date) {}

    @Test
    void the_form_is_meant_that_would_be_written_the_same_way() {
        reads(Dated.class, "{\"date\":\"2026-11-24\"}", new Dated(Date.from(Instant.parse("2026-11-23T16:00:00Z"))));
        Dated midnight = new Dated(Date.from(Instant.parse("2026-11-24T00:00:00Z")));
        assertThat(json.decode(Dated.class, json.encode(Dated.class, midnight))).isEqualTo(midnight);
    }

    @Test
    void what_getters_said_is_read_where_a_constructor_needs_it() {
        assertThat(read(ClassValues.Money.class, "{\"cents\":199,\"value\":199}"))
                .usingRecursiveComparison()
                .isEqualTo(new ClassValues.Money(199));
        reads(ClassValues.Id.class, quoted("1"), new ClassValues.Id("1"));
        reads(
                ClassValues.Person.class,
                "{\"name\":\"Ada\",\"street\":\"Main\",\"number\":1}",
                new ClassValues.Person("Ada", new ClassValues.Street("Main", 1)));
    }

    @Test
    void what_serializers_of_the_applications_wrote_is_read_by_their_deserializers() {
        for (Former each : AnnotatedValues.former()) {
            assertThat(read(each.type(), each.json()))
                    .as(each.json())
                    .usingRecursiveComparison()
                    .isEqualTo(each.value());
        }
    }

    @Test
    void the_state_is_read_as_it_was_written() {
        for (Object each : List.of(new ClassValues.Shown().at(Instant.parse(MOMENT)), new ClassValues.Shown())) {
            assertThat(json.decode(ClassValues.Shown.class, json.encode(ClassValues.Shown.class, each)))
                    .usingRecursiveComparison()
                    .isEqualTo(each);
        }
    }

    private static long startOf(String day) {
        return Instant.parse(day + "T00:00:00Z").toEpochMilli();
    }

    private static String quoted(String text) {
        return "\"" + text + "\"";
    }

    private void reads(Type type, String written, Object value) {
        assertThat(read(type, written)).isEqualTo(value);
    }

    private @Nullable Object read(Type type, String written) {
        return json.decode(type, written.getBytes(StandardCharsets.UTF_8));
    }
}
