package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.spring.config.Texts;
import java.lang.reflect.Type;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectReader;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.cfg.EnumFeature;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.introspect.Annotated;
import tools.jackson.databind.introspect.JacksonAnnotationIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.module.SimpleModule;

/**
 * JSON that keeps the whole state of a value, and is read only if all of it is there and nothing else. It is not the
 * application's: what suits a REST interface (hidden fields, formats, masks, lenient readers) loses what a compensation
 * needs. State is in fields, and goes by fields and constructors.
 *
 * <p>Values are written and read by their declared types only: no class name travels, so nothing that arrives can choose
 * a class.
 */
public final class StrictJson implements PayloadCodec {
    private final JsonMapper mapper;
    private final JsonMapper former;
    private final PayloadForms forms;

    public StrictJson() {
        mapper = strict(JsonMapper.builder()
                .annotationIntrospector(new StateAnnotations())
                .addModule(StateTypes.module())
                .changeDefaultVisibility(checker -> checker.withFieldVisibility(Visibility.ANY)
                        .withGetterVisibility(Visibility.NONE)
                        .withIsGetterVisibility(Visibility.NONE)
                        .withSetterVisibility(Visibility.NONE))
                .enable(MapperFeature.ALLOW_FINAL_FIELDS_AS_MUTATORS));
        former = strict(JsonMapper.builder()
                .annotationIntrospector(new WithNulls())
                // What only a getter says is computed from fields, and nobody could set it.
                .changeDefaultVisibility(checker -> checker.withFieldVisibility(Visibility.ANY)));
        forms = new PayloadForms(new Form(mapper), new Form(former));
    }

    private record Form(JsonMapper mapper) implements PayloadForms.Form {
        @Override
        public byte[] write(Type type, @Nullable Object value) {
            return mapper.writerFor(mapper.constructType(type)).writeValueAsBytes(value);
        }

        @Override
        public @Nullable Object read(Type type, byte[] json, boolean ofAnother) {
            ObjectReader reader = mapper.readerFor(mapper.constructType(type));
            return (ofAnother ? reader.withAttribute(StrictBeans.OF_ANOTHER_BUILD, true) : reader).readValue(json);
        }

        @Override
        public boolean includes(byte[] whole, byte[] part) {
            return includes(mapper.readTree(whole), mapper.readTree(part));
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

    private static JsonMapper strict(JsonMapper.Builder builder) {
        StrictBeans beans = new StrictBeans();
        JsonMapper whole = builder.addModule(new SimpleModule("omega").setDeserializerModifier(beans))
                .enable(MapperFeature.REQUIRE_SETTERS_FOR_GETTERS)
                .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .disable(DateTimeFeature.WRITE_DATES_AS_TIMESTAMPS)
                .disable(DateTimeFeature.WRITE_DURATIONS_AS_TIMESTAMPS)
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .disable(DateTimeFeature.NORMALIZE_DESERIALIZED_ZONE_ID)
                .enable(EnumFeature.FAIL_ON_NUMBERS_FOR_ENUMS)
                .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                .build();
        beans.of(whole);
        return whole;
    }

    /** Writes nulls whatever a class says. */
    private static final class WithNulls extends JacksonAnnotationIntrospector {
        @Override
        public JsonInclude.Value findPropertyInclusion(MapperConfig<?> config, Annotated annotated) {
            return JsonInclude.Value.construct(JsonInclude.Include.ALWAYS, JsonInclude.Include.ALWAYS);
        }
    }

    /** A sentence that shows no values, why something would be lost. */
    static final class LossException extends DatabindException {
        LossException(String sentence) {
            super(sentence);
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
        if (expected.getName().startsWith("java.") || isTyped(declared)) return;
        throw new LossException("it is a " + found.getSimpleName() + ", of which only what " + expected.getSimpleName()
                + " has would be written");
    }

    private boolean isTyped(JavaType declared) {
        return mapper._deserializationContext().findTypeDeserializer(declared) != null;
    }

    @Override
    public @Nullable Object decode(Type type, byte[] json) {
        return forms.read(type, json);
    }

    /** Why it failed, without the message, which shows values, unless it is omega's own. */
    static String reason(RuntimeException e) {
        if (e instanceof LossException loss) return loss.getOriginalMessage();
        String name = e.getClass().getSimpleName();
        return e instanceof JacksonException json ? name + " at " + json.getPathReference() : name;
    }

    /** What values of that type would not bring back. */
    PayloadLosses losses(Type type) {
        PayloadLosses losses = PayloadLosses.of(mapper, mapper.constructType(type));
        if (losses.unreadable().isEmpty()) return losses;
        PayloadLosses byItsOwn = PayloadLosses.of(former, former.constructType(type));
        return byItsOwn.unreadable().isEmpty() ? byItsOwn : losses;
    }
}
