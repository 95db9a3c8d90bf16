package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonTypeInfo.As;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.deser.BeanDeserializer;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBase;
import com.fasterxml.jackson.databind.deser.BeanDeserializerBuilder;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.BuilderBasedDeserializer;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdValueInstantiator;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.NameTransformer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * Has objects read only if every property that would be written of them is there, and no other one. Jackson by itself
 * notices only missing parameters of constructors, and lets a class switch the rest off. What another build may have
 * written may lack what is optional, and have what the class says it has lost.
 */
final class StrictBeans extends BeanDeserializerModifier {
    /** The attribute of a reader that reads what another build may have written. */
    static final Object OF_ANOTHER_BUILD = StrictBeans.class;

    /** Anything else than a name of Java's is not repeated. */
    private static final Pattern NAME = Pattern.compile("[\\w$.-]{1,64}");

    private transient @Nullable JsonMapper mapper;

    /** The mapper that this is a part of. */
    void of(JsonMapper whole) {
        mapper = whole;
    }

    @Override
    public JsonDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription description, JsonDeserializer<?> found) {
        boolean builds = found instanceof BuilderBasedDeserializer;
        if (!(found instanceof BeanDeserializerBase bean)
                || !(builds || found instanceof BeanDeserializer)
                || bean.getValueInstantiator().canCreateUsingDelegate()
                || Throwable.class.isAssignableFrom(description.getBeanClass())
                || takesNamesOfOthers(config, description)) {
            return found;
        }
        boolean takesAny = description.findAnySetterAccessor() != null;
        if (!builds) return new StrictBean(bean, description.getType(), takesAny);
        Type built = StateMembers.builtBy(description.getBeanClass());
        return built == null
                ? found
                : new StrictBean(bean, config.getTypeFactory().constructType(built), takesAny);
    }

    /** Kotlin's constructors know what is left out. */
    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription description, BeanDeserializerBuilder builder) {
        KotlinDefaults kotlin = KotlinDefaults.of(description.getBeanClass());
        if (builder.getValueInstantiator() instanceof StdValueInstantiator constructor && kotlin.areKnown()) {
            builder.setValueInstantiator(new KotlinConstructor(constructor, kotlin));
        }
        return builder;
    }

    /** Whether properties of another object stand among this one's. */
    static boolean takesNamesOfOthers(MapperConfig<?> config, BeanDescription description) {
        AnnotationIntrospector annotations = config.getAnnotationIntrospector();
        if (description.getObjectIdInfo() != null) return true;
        for (BeanPropertyDefinition property : description.findProperties()) {
            AnnotatedMember member = property.getPrimaryMember();
            if (member == null) continue;
            if (annotations.findUnwrappingNameTransformer(member) != null) return true;
            var typing = annotations.findPolymorphicTypeInfo(config, member);
            if (typing != null && typing.getInclusionType() == As.EXTERNAL_PROPERTY) return true;
        }
        return false;
    }

    static Set<String> written(JsonMapper mapper, JavaType type) throws JsonMappingException {
        Set<String> names = new LinkedHashSet<>();
        mapper.getSerializerProviderInstance()
                .findValueSerializer(type)
                .properties()
                .forEachRemaining(each -> names.add(each.getName()));
        return names;
    }

    static Set<String> read(BeanDeserializerBase bean) {
        Set<String> names = new LinkedHashSet<>();
        bean.properties().forEachRemaining(each -> names.add(each.getName()));
        bean.creatorProperties().forEachRemaining(each -> names.add(each.getName()));
        return names;
    }

    /** What Jackson sees in the class when it writes one, also what it does not write because nobody can set it. */
    static BeanDescription describe(JsonMapper mapper, JavaType type) {
        return mapper.getSerializationConfig().introspect(type);
    }

    private final class StrictBean extends DelegatingDeserializer {
        private final BeanDeserializerBase bean;

        private final boolean takesAny;

        /** Not the builder, but what it builds. */
        private final JavaType type;

        /** Null until it is asked. */
        private transient volatile @Nullable Names names;

        /** Likewise. */
        private transient volatile @Nullable GainedProperties gained;

        StrictBean(BeanDeserializerBase bean, JavaType type, boolean takesAny) {
            super(bean);
            this.bean = bean;
            this.takesAny = takesAny;
            this.type = type;
        }

        /**
         * Which properties there must be, and which there may be.
         *
         * @param aliases other names of theirs
         * @param reader takes what may be there and nobody sets
         */
        private record Names(
                Set<String> required, Set<String> possible, Map<String, String> aliases, BeanDeserializerBase reader) {

            String of(String found) {
                return aliases.getOrDefault(found, found);
            }
        }

        @Override
        protected JsonDeserializer<?> newDelegatingInstance(JsonDeserializer<?> changed) {
            return changed instanceof BeanDeserializerBase other ? new StrictBean(other, type, takesAny) : changed;
        }

        @Override
        public JsonDeserializer<Object> unwrappingDeserializer(NameTransformer transformer) {
            return bean.unwrappingDeserializer(transformer);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            boolean isEmpty = parser.hasToken(JsonToken.END_OBJECT);
            // A type's name in front may have been read: then the first property is next.
            if (!isEmpty && !parser.hasToken(JsonToken.START_OBJECT) && !parser.hasToken(JsonToken.FIELD_NAME)) {
                return bean.deserialize(parser, context);
            }
            try (TokenBuffer whole = isEmpty
                            ? emptyObject(context)
                            : context.bufferForInputBuffering(parser).deserialize(parser, context);
                    TokenBuffer completed = completed(whole, parser, context);
                    JsonParser again = completed.asParser(parser)) {
                again.nextToken();
                return names().reader.deserialize(again, context);
            }
        }

        private TokenBuffer emptyObject(DeserializationContext context) throws IOException {
            TokenBuffer empty = context.bufferForInputBuffering();
            empty.writeStartObject();
            empty.writeEndObject();
            return empty;
        }

        /** What is there, with what is optional; all of it, unless another build may have written it. */
        private TokenBuffer completed(TokenBuffer whole, JsonParser parser, DeserializationContext context)
                throws IOException {
            List<String> found = namesIn(whole);
            List<String> unknown = unknown(found);
            List<String> missing = missing(found);
            if (context.getAttribute(OF_ANOTHER_BUILD) == null || (unknown.isEmpty() && missing.isEmpty())) {
                require(parser, unknown, missing);
                return whole;
            }
            List<String> notLost = OtherBuilds.notLost(type.getRawClass(), unknown, missing);
            GainedProperties gained = gained(context);
            // Beside something unknown, what is missing may have been renamed.
            List<String> needed = missing.stream()
                    .filter(each -> !notLost.isEmpty() || !gained.isOptional(each))
                    .toList();
            require(parser, notLost, needed);
            return gained.added(missing, whole, context);
        }

        private List<String> namesIn(TokenBuffer whole) throws IOException {
            List<String> found = new ArrayList<>();
            try (JsonParser parser = whole.asParserOnFirstToken()) {
                while (parser.nextToken() == JsonToken.FIELD_NAME) {
                    found.add(names().of(parser.currentName()));
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
            return found;
        }

        private List<String> unknown(List<String> found) throws JsonMappingException {
            if (takesAny) return List.of();
            Set<String> possible = names().possible;
            return found.stream().filter(each -> !possible.contains(each)).toList();
        }

        private List<String> missing(List<String> found) throws JsonMappingException {
            return names().required.stream()
                    .filter(each -> !found.contains(each))
                    .toList();
        }

        private void require(JsonParser parser, List<String> unknown, List<String> missing)
                throws JsonMappingException {
            if (unknown.isEmpty() && missing.isEmpty()) return;
            String name = ClassUtils.getShortName(type.getRawClass());
            List<String> clauses = new ArrayList<>();
            if (!unknown.isEmpty()) clauses.add(name + " has no property " + quoted(unknown));
            if (!missing.isEmpty()) {
                clauses.add(quoted(missing) + " of " + name + (missing.size() == 1 ? " is missing" : " are missing"));
            }
            throw new StrictJson.Loss(parser, String.join(", and ", clauses));
        }

        private static String quoted(List<String> names) {
            return String.join(
                    ", ",
                    names.stream()
                            .limit(5)
                            .map(each -> NAME.matcher(each).matches() ? "'" + each + "'" : "'…'")
                            .toList());
        }

        private Names names() throws JsonMappingException {
            Names known = names;
            if (known == null) {
                known = lookUp();
                names = known;
            }
            return known;
        }

        private GainedProperties gained(DeserializationContext context) throws JsonMappingException {
            GainedProperties known = gained;
            if (known == null) {
                known = GainedProperties.of(Objects.requireNonNull(mapper), bean, type, names().required, context);
                gained = known;
            }
            return known;
        }

        private Names lookUp() throws JsonMappingException {
            JsonMapper whole = Objects.requireNonNull(mapper);
            Set<String> read = read(bean);
            Set<String> required = written(whole, type);
            required.retainAll(read);
            Set<String> possible = new HashSet<>(read);
            Map<String, String> aliases = new HashMap<>();
            // Others may have written what getters compute; it is in the fields as well.
            for (BeanPropertyDefinition property : describe(whole, type).findProperties()) {
                if (property.hasGetter() || property.hasField()) possible.add(property.getName());
                property.findAliases().forEach(alias -> aliases.put(alias.getSimpleName(), property.getName()));
            }
            return new Names(required, possible, aliases, bean.withIgnoreAllUnknown(true));
        }
    }
}
