package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.PropertyAccessor;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.datatype.jdk8.Jdk8Module;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeFeature;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import com.fasterxml.jackson.module.paramnames.ParameterNamesModule;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.spring.config.Texts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Type;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * JSON that keeps the whole state of a value, and is read only if all of it is there and nothing else. It is not the
 * application's: what suits a REST interface (hidden fields, formats, masks, lenient readers) loses what a compensation
 * needs. State is in fields, and goes by fields and constructors.
 *
 * <p>Values are written and read by their declared types only: no class name travels, so nothing that arrives can choose
 * a class.
 *
 * <p>By Jackson 2, to the byte what omega for Boot 4 writes by Jackson 3: a service moves from one to the other, instance
 * by instance, while its sagas are open.
 */
public final class StrictJson implements PayloadCodec {
    private final JsonMapper mapper;
    private final JsonMapper former;
    private final PayloadForms forms;

    public StrictJson() {
        mapper = strict(
                JsonMapper.builder()
                        .annotationIntrospector(new StateAnnotations())
                        .addModule(StateTypes.module())
                        .visibility(PropertyAccessor.FIELD, Visibility.ANY)
                        .visibility(PropertyAccessor.GETTER, Visibility.NONE)
                        .visibility(PropertyAccessor.IS_GETTER, Visibility.NONE)
                        .visibility(PropertyAccessor.SETTER, Visibility.NONE),
                MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS);
        former = strict(JsonMapper.builder()
                .annotationIntrospector(new WithNulls())
                // What only a getter says is computed from fields, and nobody could set it.
                .visibility(PropertyAccessor.FIELD, Visibility.ANY));
        forms = new PayloadForms(new Form(mapper), new Form(former));
    }

    private static JsonMapper strict(JsonMapper.Builder builder, MapperFeature... more) {
        StrictBeans beans = new StrictBeans();
        builder.addModules(new Jdk8Module(), new ParameterNamesModule(), new ConstructorNames())
                .addModule(new JavaTimeModule().disable(JavaTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID))
                .addModule(new SimpleModule("omega").setDeserializerModifier(beans))
                .enable(MapperFeature.REQUIRE_SETTERS_FOR_GETTERS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .enable(SerializationFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DeserializationFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DeserializationFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION);
        JsonMapper whole = AsJackson3.set(builder).enable(more).build();
        beans.of(whole);
        return whole;
    }

    private record Form(JsonMapper mapper) implements PayloadForms.Form {
        @Override
        public byte[] write(Type type, @Nullable Object value) {
            try {
                return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
            } catch (JsonProcessingException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public @Nullable Object read(Type type, byte[] json, boolean ofAnother) {
            ObjectReader reader = mapper.readerFor(mapper.constructType(type));
            try {
                return (ofAnother ? reader.withAttribute(StrictBeans.OF_ANOTHER_BUILD, true) : reader).readValue(json);
            } catch (Loss e) {
                throw new LossException(e.getOriginalMessage());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public boolean includes(byte[] whole, byte[] part) {
            try {
                return includes(mapper.readTree(whole), mapper.readTree(part));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        private static boolean includes(@Nullable JsonNode whole, JsonNode part) {
            if (whole == null) return false;
            if (whole.isObject() && part.isObject()) {
                return part.properties().stream().allMatch(each -> includes(whole.get(each.getKey()), each.getValue()));
            }
            if (!whole.isArray() || !part.isArray() || whole.size() != part.size()) return whole.equals(part);
            return IntStream.range(0, part.size()).allMatch(i -> includes(whole.get(i), part.get(i)));
        }
    }

    PayloadForms forms() {
        return forms;
    }

    /** Writes nulls whatever a class says. */
    private static final class WithNulls extends JacksonAnnotationIntrospector {
        @Override
        public JsonInclude.Value findPropertyInclusion(Annotated annotated) {
            return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
        }
    }

    /** A sentence that shows no values, why something would be lost. */
    static final class LossException extends RuntimeException {
        LossException(String sentence) {
            super(sentence);
        }
    }

    /** Such a sentence on its way through Jackson, which wraps other exceptions in its own. */
    static final class Loss extends JsonMappingException {
        Loss(JsonParser parser, String sentence) {
            super(parser, sentence);
        }
    }

    @Override
    public byte[] encode(Type type, @Nullable Object value) {
        JavaType declared = mapper.constructType(type);
        String obstacle = EntityState.obstacle(value);
        if (obstacle != null) throw new LossException(obstacle);
        if (value != null) requireWhole(declared, ClassUtils.getUserClass(value));
        byte[] json = forms.write(type, value);
        if (Texts.hasHalfInName(json)) {
            throw new LossException("a key has half of a character, as substring may leave it");
        }
        return json;
    }

    /** Only what the declared class knows of would be written. */
    private void requireWhole(JavaType declared, Class<?> found) {
        Class<?> expected = declared.getRawClass();
        if (found == expected || declared.isPrimitive() || declared.isAbstract() || declared.isEnumType()) return;
        if (declared.isContainerType() || declared.isReferenceType() || declared.isJavaLangObject()) return;
        if (expected.getName().startsWith("java.") || isTyped(mapper, declared)) return;
        throw new LossException("it is a " + found.getSimpleName() + ", of which only what " + expected.getSimpleName()
                + " has would be written");
    }

    static boolean isTyped(JsonMapper mapper, JavaType declared) {
        try {
            return mapper.getDeserializationConfig().findTypeDeserializer(declared) != null;
        } catch (JsonMappingException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public @Nullable Object decode(Type type, byte[] json) {
        return forms.read(type, json);
    }

    /** Why it failed, without the message, which shows values, unless it is omega's own. */
    static String reason(Exception e) {
        if (e instanceof LossException loss) return String.valueOf(loss.getMessage());
        Throwable said =
                e instanceof UncheckedIOException unchecked ? Objects.requireNonNullElse(unchecked.getCause(), e) : e;
        String name = said.getClass().getSimpleName();
        if (said instanceof JsonMappingException json) return name + " at " + json.getPathReference();
        return name;
    }

    /** What values of that type would not bring back. */
    PayloadLosses losses(Type type) {
        PayloadLosses losses = PayloadLosses.of(mapper, mapper.constructType(type));
        if (losses.unreadable().isEmpty()) return losses;
        PayloadLosses byItsOwn = PayloadLosses.of(former, former.constructType(type));
        return byItsOwn.unreadable().isEmpty() ? byItsOwn : losses;
    }
}
