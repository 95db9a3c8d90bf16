package io.alphaomega.omega.spring;

import static io.alphaomega.omega.spring.ValueDesk.Value.kept;
import static io.alphaomega.omega.spring.ValueDesk.Value.refused;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonBackReference;
import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonGetter;
import com.fasterxml.jackson.annotation.JsonIdentityInfo;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIgnoreType;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonManagedReference;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.JsonView;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.annotation.ObjectIdGenerators;
import io.alphaomega.omega.spring.ValueDesk.Value;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Values of an application's classes, as its REST interface has annotated them. */
@SuppressWarnings({"UnusedVariable", "JavaUtilDate"}) // Fields are all that there is, and a Date is what there is.
public final class ClassValues {
    private ClassValues() {}

    // ---- what JSON shows

    static class Admin {}

    /** Everything that hides something from a client. */
    @JsonIgnoreProperties({"hidden", "other"})
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    @JsonAutoDetect(fieldVisibility = JsonAutoDetect.Visibility.NONE)
    @JsonFilter("nobody has it")
    static class Secretive {
        private String hidden = "h";

        @JsonIgnore
        private int ignored;

        @JsonProperty(access = JsonProperty.Access.WRITE_ONLY)
        private String password = "p";

        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        private String id = "i";

        @JsonView(Admin.class)
        private String forAdmins = "a";

        @JsonRawValue
        private String raw = "{\"not\": json";

        private Ignorable ignorable = new Ignorable();

        Secretive with(int value) {
            ignored = value;
            password = "p" + value;
            id = "i" + value;
            forAdmins = "a" + value;
            hidden = "h" + value;
            ignorable.code = "c" + value;
            return this;
        }

        String all() {
            return hidden + ignored + password + id + forAdmins + raw + ignorable.code;
        }
    }

    @JsonIgnoreType
    static class Ignorable {
        private String code = "";
    }

    static class SecretiveDesk extends ValueDesk<Secretive> {}

    /** Everything that a client is shown in another form. */
    static class Shown {
        @JsonFormat(pattern = "dd.MM.yyyy")
        private LocalDate day = LocalDate.EPOCH;

        @JsonFormat(pattern = "yyyy-MM-dd", timezone = "Asia/Shanghai")
        private Date date = new Date(1);

        @JsonFormat(shape = JsonFormat.Shape.NUMBER)
        private Instant instant = Instant.EPOCH;

        @JsonSetter(nulls = Nulls.AS_EMPTY)
        private @Nullable String note;

        private String phone = "13812345678";

        Shown at(Instant moment) {
            day = LocalDate.parse("2026-11-24");
            date = Date.from(moment);
            instant = moment;
            return this;
        }

        @JsonGetter("tel")
        public String getPhone() {
            return phone.substring(0, 3) + "****" + phone.substring(7);
        }

        public void setPhone(String phone) {
            this.phone = phone.strip();
        }

        public @Nullable String getNote() {
            return note;
        }
    }

    static class ShownDesk extends ValueDesk<Shown> {}

    /** A record whose accessor masks. */
    record Masked(String number, Optional<String> holder) {
        @Override
        public String number() {
            return "****";
        }
    }

    static class MaskedDesk extends ValueDesk<List<Masked>> {}

    static class Any {
        private final Map<String, String> extra = new HashMap<>();

        @JsonAnyGetter
        public Map<String, String> getExtra() {
            return Map.of("shown", "instead");
        }

        @JsonAnySetter
        public void put(String key, String value) {
            extra.put(key, value);
        }
    }

    static class AnyDesk extends ValueDesk<Any> {}

    // ---- how it is built

    /** Lombok's {@code @Value}, and a getter that computes. */
    static final class Line {
        private final String code;
        private final int many;

        Line(@JsonProperty("code") String code, @JsonProperty("many") int many) {
            this.code = code;
            this.many = many;
        }

        public String getLabel() {
            return code + many;
        }
    }

    static class Order {
        private final List<Line> lines = new ArrayList<>();
        private boolean isGift;
        private String uRL = "u";

        Order of(Line line) {
            lines.add(line);
            isGift = true;
            uRL = "http://x";
            return this;
        }

        public List<Line> getLines() {
            return List.copyOf(lines);
        }

        public boolean isGift() {
            return isGift;
        }
    }

    static class OrderDesk extends ValueDesk<Order> {}

    /** Its parameter has another name than its field. */
    static final class Money {
        private final long cents;

        @JsonCreator
        Money(@JsonProperty("value") long value) {
            this.cents = value;
        }

        public long getValue() {
            return cents;
        }
    }

    static class MoneyDesk extends ValueDesk<Money> {}

    record Id(@JsonValue String value) {
        @JsonCreator
        Id {}
    }

    static class IdDesk extends ValueDesk<Map<String, Id>> {}

    /** What it says is not all that it is. */
    record Phone(String country, String number) {
        @JsonValue
        String shown() {
            return country + "…";
        }
    }

    static class PhoneDesk extends ValueDesk<Phone> {}

    public enum Twin {
        LEFT,
        RIGHT;

        @JsonValue
        String shown() {
            return "twin";
        }
    }

    static class TwinDesk extends ValueDesk<Twin> {}

    record Street(String street, @Nullable Integer number) {}

    record Person(String name, @JsonUnwrapped @Nullable Street home) {}

    static class PersonDesk extends ValueDesk<Person> {}

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({@JsonSubTypes.Type(value = Card.class, name = "card"), @JsonSubTypes.Type(Cash.class)})
    interface Payment {}

    record Card(String number, @JsonIgnore String pin) implements Payment {}

    record Cash() implements Payment {}

    static class PaymentsDesk extends ValueDesk<List<Payment>> {}

    static class Parent {
        @JsonManagedReference
        private List<Child> children = new ArrayList<>();

        Parent with(String name) {
            Child child = new Child();
            child.name = name;
            child.parent = this;
            children.add(child);
            return this;
        }
    }

    static class Child {
        private String name = "";

        @JsonBackReference
        private @Nullable Parent parent;
    }

    static class ParentDesk extends ValueDesk<Parent> {}

    @JsonIdentityInfo(generator = ObjectIdGenerators.IntSequenceGenerator.class)
    static class Node {
        private String name = "";
        private @Nullable Node next;

        Node round(String it) {
            name = it;
            next = this;
            return this;
        }
    }

    static class NodeDesk extends ValueDesk<Node> {}

    /** Makes something else of what it is given. */
    static class Rounded {
        private final double value;

        Rounded(@JsonProperty("value") double value) {
            this.value = Math.floor(value);
        }

        static Rounded exactly(double value) {
            return new Rounded(value, true);
        }

        private Rounded(double value, boolean exact) {
            this.value = exact ? value : 0;
        }
    }

    static class RoundedDesk extends ValueDesk<Rounded> {}

    record Page<T>(List<T> items, @Nullable Page<T> next) {}

    static class PageDesk extends ValueDesk<Page<Long>> {}

    static class Base {
        private String name = "n";
    }

    static class More extends Base {
        private int extra = 1;
    }

    static class BaseDesk extends ValueDesk<Base> {}

    static List<Value> all() {
        Any any = new Any();
        any.put("key", "value");
        return List.of(
                kept(SecretiveDesk.class, new Secretive().with(7)),
                kept(ShownDesk.class, new Shown().at(Instant.parse("2026-11-24T10:00:00.123Z"))),
                kept(MaskedDesk.class, List.of(new Masked("4711", Optional.empty()))),
                kept(AnyDesk.class, any),
                kept(OrderDesk.class, new Order().of(new Line("book", 2))),
                kept(MoneyDesk.class, new Money(199)),
                kept(IdDesk.class, Map.of("a", new Id("1"))),
                kept(PhoneDesk.class, new Phone("49", "138")),
                refused(TwinDesk.class, Twin.RIGHT),
                kept(PersonDesk.class, new Person("Ada", new Street("Main", 1))),
                refused(PersonDesk.class, new Person("Ada", null)),
                kept(PaymentsDesk.class, List.of(new Card("4711", "0000"), new Cash())),
                kept(ParentDesk.class, new Parent().with("a").with("b")),
                kept(NodeDesk.class, new Node().round("o")),
                refused(RoundedDesk.class, Rounded.exactly(1.5)),
                kept(PageDesk.class, new Page<>(List.of(1L), new Page<>(List.of(), null))),
                kept(BaseDesk.class, new Base()),
                refused(BaseDesk.class, new More()));
    }
}
