package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.ValueDesk.Value.kept;
import static io.alphaomega.omega.spring.ValueDesk.Value.refused;

import com.fasterxml.jackson.annotation.JsonCreator;
import io.alphaomega.omega.spring.ValueDesk.Value;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonNaming;
import tools.jackson.databind.annotation.JsonPOJOBuilder;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.ser.std.ToStringSerializer;
import tools.jackson.databind.util.StdConverter;

/** Values of classes with annotations of Jackson's databind. */
final class AnnotatedValues {
    private AnnotatedValues() {}

    static final class Masking extends ValueSerializer<String> {
        @Override
        public void serialize(String value, JsonGenerator json, SerializationContext context) {
            json.writeString(value.substring(0, 3) + "****" + value.substring(value.length() - 4));
        }
    }

    static final class Rounding extends StdConverter<BigDecimal, String> {
        @Override
        public String convert(BigDecimal value) {
            return value.setScale(0, java.math.RoundingMode.HALF_UP).toString();
        }
    }

    /** As for JavaScript, which has no long; and masked, as for people. */
    record Account(
            @JsonSerialize(using = ToStringSerializer.class) Long id,
            @JsonSerialize(using = ToStringSerializer.class) long owner,
            @JsonSerialize(using = Masking.class) String phone,
            @JsonSerialize(converter = Rounding.class) BigDecimal balance,
            @JsonSerialize(contentUsing = Masking.class) List<String> phones) {}

    static class AccountDesk extends ValueDesk<Account> {}

    /** On getters, as of a bean. */
    static class Customer {
        private String phone = "";
        private Long number = 0L;

        Customer of(String itsPhone, long itsNumber) {
            phone = itsPhone;
            number = itsNumber;
            return this;
        }

        @JsonSerialize(using = Masking.class)
        public String getPhone() {
            return phone;
        }

        @JsonSerialize(using = ToStringSerializer.class)
        public Long getNumber() {
            return number;
        }
    }

    static class CustomerDesk extends ValueDesk<Customer> {}

    @JsonNaming(PropertyNamingStrategies.SnakeCaseStrategy.class)
    record Snake(String firstName, int shoeSize) {}

    static class SnakeDesk extends ValueDesk<Snake> {}

    interface Shape {}

    record Circle(int radius) implements Shape {}

    record Square(int side) implements Shape {}

    record Drawing(@JsonDeserialize(as = Circle.class) Shape shape) {}

    static class DrawingDesk extends ValueDesk<Drawing> {}

    /** As Lombok's {@code @Jacksonized @Builder} makes it. */
    @JsonDeserialize(builder = Built.Builder.class)
    static final class Built {
        private final String name;
        private final int many;

        private Built(String name, int many) {
            this.name = name;
            this.many = many;
        }

        String all() {
            return name + many;
        }

        static Built of(String name, int many) {
            return new Builder().name(name).many(many).build();
        }

        @JsonPOJOBuilder(withPrefix = "")
        static final class Builder {
            private String itsName = "";
            private int itsMany;

            Builder name(String name) {
                itsName = name;
                return this;
            }

            Builder many(int many) {
                itsMany = many;
                return this;
            }

            Built build() {
                return new Built(itsName, itsMany);
            }
        }
    }

    static class BuiltDesk extends ValueDesk<Built> {}

    /** Nobody could build it but its own deserializer. */
    @JsonSerialize(using = ToStringSerializer.class)
    @JsonDeserialize(using = Sealed.Reader.class)
    static final class Sealed {
        private final String text;
        private final Object[] rest;

        private Sealed(String text, Object... rest) {
            this.text = text;
            this.rest = rest;
        }

        static Sealed of(String text) {
            return new Sealed(text);
        }

        @Override
        public String toString() {
            return rest.length == 0 ? text : "";
        }

        static final class Reader extends ValueDeserializer<Sealed> {
            @Override
            public Sealed deserialize(JsonParser parser, DeserializationContext context) {
                return Sealed.of(parser.getString());
            }
        }
    }

    static class SealedDesk extends ValueDesk<Sealed> {}

    /** Likewise, but what it writes is not all of it. */
    @JsonSerialize(using = ToStringSerializer.class)
    static final class Cut {
        private final String text;
        private final int more;

        @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
        Cut(String text) {
            this(text, 0);
        }

        private Cut(String text, int more) {
            this.text = text;
            this.more = more;
        }

        static Cut of(String text, int more) {
            return new Cut(text, more);
        }

        int more() {
            return more;
        }

        @Override
        public String toString() {
            return text;
        }
    }

    static class CutDesk extends ValueDesk<Cut> {}

    static List<Value> all() {
        Account account =
                new Account(9_007_199_254_740_993L, 5, "13812345678", new BigDecimal("1.55"), List.of("13887654321"));
        return List.of(
                kept(AccountDesk.class, account),
                kept(CustomerDesk.class, new Customer().of("13812345678", 5)),
                kept(SnakeDesk.class, new Snake("Ada", 39)),
                kept(DrawingDesk.class, new Drawing(new Circle(1))),
                refused(DrawingDesk.class, new Drawing(new Square(1))),
                kept(BuiltDesk.class, Built.of("a", 2)),
                kept(CutDesk.class, Cut.of("text", 0)),
                refused(CutDesk.class, Cut.of("text", 1)),
                kept(SealedDesk.class, Sealed.of("text")),
                kept(MoreValues.SwappedKeysDesk.class, Map.of(MoreValues.Swapped.A, MoreValues.Swapped.B)));
    }

    /** What an earlier build has written, and of what: by the annotations. */
    static List<Former> former() {
        return List.of(
                new Former(Snake.class, "{\"first_name\":\"Ada\",\"shoe_size\":39}", new Snake("Ada", 39)),
                new Former(Sealed.class, "\"text\"", Sealed.of("text")),
                new Former(Cut.class, "\"text\"", Cut.of("text", 0)));
    }

    /** What is written, and of what. */
    record Former(Class<?> type, String json, Object value) {}
}
