package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.deser.std.FromStringDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.StdDateFormat;
import java.io.IOException;
import java.text.FieldPosition;
import java.time.Month;
import java.time.Year;
import java.util.Date;
import java.util.Locale;

/** What Jackson 3 does by default, and Jackson 2 otherwise. */
final class AsJackson3 {
    private AsJackson3() {}

    static JsonMapper.Builder set(JsonMapper.Builder builder) {
        SimpleModule module = new SimpleModule("omega-as-jackson-3")
                .addSerializer(new Written<>(Year.class, (json, year) -> json.writeNumber(year.getValue())))
                .addSerializer(new Written<>(Month.class, (json, month) -> json.writeNumber(month.getValue())))
                .addSerializer(new Written<>(Locale.class, (json, locale) -> json.writeString(locale.toLanguageTag())))
                .addDeserializer(Month.class, new Months())
                .addDeserializer(Locale.class, new Locales());
        return builder.addModule(EnumValues.in(module))
                .defaultDateFormat(new DatesWithZ())
                .visibility(PropertyAccessor.CREATOR, Visibility.PUBLIC_ONLY)
                .enable(
                        MapperFeature.SORT_PROPERTIES_ALPHABETICALLY,
                        MapperFeature.SORT_CREATOR_PROPERTIES_BY_DECLARATION_ORDER,
                        MapperFeature.ALLOW_VOID_VALUED_PROPERTIES)
                .disable(
                        MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS,
                        MapperFeature.DEFAULT_VIEW_INCLUSION,
                        MapperFeature.USE_GETTERS_AS_SETTERS)
                .enable(SerializationFeature.WRITE_ENUMS_USING_TO_STRING)
                .enable(DeserializationFeature.READ_ENUMS_USING_TO_STRING)
                .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                .enable(JsonWriteFeature.COMBINE_UNICODE_SURROGATES_IN_UTF8);
    }

    private interface Writing<T> {
        void write(JsonGenerator json, T value) throws IOException;
    }

    private static final class Written<T> extends StdSerializer<T> {
        private final transient Writing<T> writing;

        Written(Class<T> type, Writing<T> writing) {
            super(type);
            this.writing = writing;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializerProvider provider) throws IOException {
            writing.write(json, value);
        }
    }

    private static final class Months extends StdDeserializer<Month> {
        Months() {
            super(Month.class);
        }

        @Override
        public Month deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_NUMBER_INT)) {
                return (Month) context.handleUnexpectedToken(Month.class, parser);
            }
            int month = parser.getIntValue();
            if (month >= 1 && month <= 12) return Month.of(month);
            return (Month) context.handleWeirdNumberValue(Month.class, month, "not a month from 1 to 12");
        }
    }

    private static final class Locales extends FromStringDeserializer<Locale> {
        Locales() {
            super(Locale.class);
        }

        @Override
        protected Locale _deserialize(String text, DeserializationContext context) {
            return Locale.forLanguageTag(text);
        }
    }

    /** UTC is a letter. */
    private static final class DatesWithZ extends StdDateFormat {
        private static final String UTC = "+00:00";

        @Override
        public StringBuffer format(Date date, StringBuffer text, FieldPosition position) {
            StringBuffer written = super.format(date, text, position);
            int zone = written.length() - UTC.length();
            return written.indexOf(UTC, zone) == zone ? written.replace(zone, written.length(), "Z") : written;
        }

        @Override
        public StdDateFormat clone() {
            return new DatesWithZ();
        }
    }
}
