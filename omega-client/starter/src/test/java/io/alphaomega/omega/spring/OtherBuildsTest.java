package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.alphaomega.omega.spring.payload.StrictJson;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.core.ParameterizedTypeReference;

/** What one build has written is read by another, whose class has gained or lost a property. */
class OtherBuildsTest {
    private final StrictJson json = new StrictJson();

    // ---- gained

    enum Size {
        SMALL,
        LARGE
    }

    record Room(
            String id,
            Optional<String> wish,
            OptionalInt beds,
            @Nullable Long floor,
            @JsonProperty(defaultValue = "EUR") String currency,
            @JsonProperty(defaultValue = "0") int nights,
            @JsonProperty(defaultValue = "SMALL") Size size) {}

    @Test
    void a_record_has_gained_what_is_optional() {
        Room room = new Room("1", Optional.empty(), OptionalInt.empty(), null, "EUR", 0, Size.SMALL);
        reads(Room.class, "{\"id\":\"1\"}", room);
        reads(
                Room.class,
                "{\"id\":\"1\",\"wish\":\"sea\",\"nights\":2}",
                new Room("1", Optional.of("sea"), OptionalInt.empty(), null, "EUR", 2, Size.SMALL));
        Type rooms = new ParameterizedTypeReference<Map<String, List<Room>>>() {}.getType();
        reads(rooms, "{\"a\":[{\"id\":\"1\"}]}", Map.of("a", List.of(room)));
    }

    static class Bean {
        private String id = "";
        private String currency = "EUR";
        private int many = 1;
        private List<String> notes = new ArrayList<>();
        private Optional<String> wish = Optional.of("none");

        @SuppressWarnings("NullableOptional") // Null is what a reader leaves that sets nothing.
        private @Nullable Optional<Long> floor;

        @JsonIgnore
        private @Nullable String note;

        private transient int computed;

        static Bean of(String id) {
            Bean bean = new Bean();
            bean.id = id;
            bean.floor = Optional.empty();
            return bean;
        }

        String all() {
            return id + currency + many + notes + wish + floor + note + computed;
        }
    }

    @Test
    void a_bean_has_gained_what_it_sets_by_itself() {
        reads(Bean.class, "{\"id\":\"1\"}", Bean.of("1"));
        reads(Bean.class, "{\"id\":\"1\",\"notes\":[]}", Bean.of("1"));
    }

    @SuppressWarnings("NullAway.Init") // What has no initial value is the point.
    static class Strict {
        private String id = "";
        private int cents;
        private boolean paid;
        private Long number = 0L;
        private String name;
        private UUID key = UUID.randomUUID();

        @Override
        public String toString() {
            return id + cents + paid + number + name + key;
        }
    }

    @Test
    void what_nothing_says_is_not_guessed() {
        refuses(Room.class, "{\"wish\":null}", "'id' of OtherBuildsTest.Room is missing");
        String rest = "\"number\":1,\"name\":\"n\",\"key\":\"6f1c0b1e-9f2d-4d4e-8a6b-2c1d3e4f5a6b\"";
        refuses(
                Strict.class,
                "{\"id\":\"1\",\"paid\":true," + rest + "}",
                "'cents' of OtherBuildsTest.Strict is missing");
        refuses(Strict.class, "{\"id\":\"1\",\"cents\":1," + rest + "}", "'paid' of OtherBuildsTest.Strict is missing");
        refuses(
                Strict.class,
                "{\"id\":\"1\",\"cents\":1,\"paid\":true,\"number\":1}",
                "'key', 'name' of OtherBuildsTest.Strict are missing");
        refuses(Room.class, "{\"id\":\"1\",\"nights\":null}", "");
        refuses(Room.class, "{\"id\":\"1\",\"wihs\":\"sea\"}", "OtherBuildsTest.Room has no property 'wihs'");
    }

    record Wrong(
            String id,
            @JsonProperty(defaultValue = "none of it") BigDecimal amount) {}

    @Test
    void a_default_that_cannot_be_read_is_refused() {
        refuses(Wrong.class, "{\"id\":\"1\"}", "the defaultValue of 'amount' is not JSON");
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    sealed interface Payment {}

    record Card(String number, @Nullable String holder) implements Payment {}

    record Cash(Optional<String> till) implements Payment {}

    @Test
    void one_of_several_types_has_gained_it() {
        reads(Payment.class, "{\"@type\":\"card\",\"number\":\"1\"}", new Card("1", null));
        reads(Payment.class, "{\"@type\":\"cash\"}", new Cash(Optional.empty()));
        refuses(Payment.class, "{\"@type\":\"card\"}", "'number' of OtherBuildsTest.Card is missing");
    }

    @Test
    void what_a_builder_sets_by_itself_may_be_missing_and_nothing_else() {
        reads(AnnotatedValues.Built.class, "{\"name\":\"a\",\"many\":2}", AnnotatedValues.Built.of("a", 2));
        reads(AnnotatedValues.Built.class, "{\"many\":2}", AnnotatedValues.Built.of("", 2));
        refuses(AnnotatedValues.Built.class, "{\"name\":\"a\"}", "'many' of AnnotatedValues.Built is missing");
    }

    // ---- lost

    @JsonIgnoreProperties({"nr", "secret"})
    record Named(String id, @Nullable String secret) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Lenient(String id, @JsonAlias("no") Optional<Integer> number) {}

    @Test
    void what_a_class_says_it_has_lost_is_read_over() {
        reads(Named.class, "{\"id\":\"1\",\"nr\":{\"a\":[1]},\"secret\":\"s\"}", new Named("1", "s"));
        reads(Named.class, "{\"id\":\"1\",\"nr\":1}", new Named("1", null));
        reads(Lenient.class, "{\"id\":\"1\",\"number\":1,\"old\":[{}]}", new Lenient("1", Optional.of(1)));
        reads(Lenient.class, "{\"id\":\"1\",\"no\":1,\"old\":null}", new Lenient("1", Optional.of(1)));
        refuses(Named.class, "{\"id\":\"1\",\"secret\":null,\"other\":1}", "has no property 'other'");
        refuses(Room.class, "{\"id\":\"1\",\"old\":1}", "OtherBuildsTest.Room has no property 'old'");
    }

    @Test
    void what_may_just_have_another_name_is_not_taken_for_lost() {
        refuses(
                Lenient.class,
                "{\"id\":\"1\",\"nr\":1}",
                "OtherBuildsTest.Lenient has no property 'nr', and 'number' of OtherBuildsTest.Lenient is missing");
    }

    @Test
    void what_is_there_is_never_read_over() {
        Named named = new Named("1", "kept");
        assertThat(json.decode(Named.class, json.encode(Named.class, named))).isEqualTo(named);
    }

    private void reads(Type type, String written, Object value) {
        assertThat(json.decode(type, written.getBytes(StandardCharsets.UTF_8)))
                .as(written)
                .usingRecursiveComparison()
                .isEqualTo(value);
    }

    private void refuses(Type type, String written, String sentence) {
        assertThatThrownBy(() -> json.decode(type, written.getBytes(StandardCharsets.UTF_8)))
                .as(written)
                .hasMessageContaining(sentence);
    }
}
