package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.annotation.JsonTypeInfo.As;
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
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.AnnotationIntrospector;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.cfg.MapperConfig;
import tools.jackson.databind.deser.BeanDeserializerBuilder;
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.bean.BuilderBasedDeserializer;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.deser.std.StdValueInstantiator;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.NameTransformer;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Has objects read only if every property that would be written of them is there, and no other one. Jackson by itself
 * notices only missing parameters of constructors, and lets a class switch the rest off. What another build may have
 * written may lack what is optional, and have what the class says it has lost.
 */
final class StrictBeans extends ValueDeserializerModifier {
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
    public ValueDeserializer<?> modifyDeserializer(
            DeserializationConfig config, BeanDescription.Supplier description, ValueDeserializer<?> found) {
        boolean builds = found instanceof BuilderBasedDeserializer;
        if (!(found instanceof BeanDeserializerBase bean)
                || !(builds || found instanceof BeanDeserializer)
                || bean.getValueInstantiator().canCreateUsingDelegate()
                || Throwable.class.isAssignableFrom(description.getBeanClass())
                || takesNamesOfOthers(config, description.get())) {
            return found;
        }
        if (!builds) return new StrictBean(bean, description.getType());
        Type built = StateMembers.builtBy(description.getBeanClass());
        return built == null
                ? found
                : new StrictBean(bean, config.getTypeFactory().constructType(built));
    }

    /** Kotlin's constructors know what is left out. */
    @Override
    public BeanDeserializerBuilder updateBuilder(
            DeserializationConfig config, BeanDescription.Supplier description, BeanDeserializerBuilder builder) {
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
            if (annotations.findUnwrappingNameTransformer(config, member) != null) return true;
            var typing = annotations.findPolymorphicTypeInfo(config, member);
            if (typing != null && typing.getInclusionType() == As.EXTERNAL_PROPERTY) return true;
        }
        return false;
    }

    static Set<String> written(JsonMapper mapper, JavaType type) {
        Set<String> names = new LinkedHashSet<>();
        mapper._serializationContext()
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
        SerializationConfig config = mapper.serializationConfig();
        ClassIntrospector introspector = config.classIntrospectorInstance();
        return introspector.introspectForSerialization(type, introspector.introspectClassAnnotations(type));
    }

    private final class StrictBean extends DelegatingDeserializer {
        private final BeanDeserializerBase bean;

        /** Not the builder, but what it builds. */
        private final JavaType type;

        /** Null until it is asked. */
        private transient volatile @Nullable Names names;

        /** Likewise. */
        private transient volatile @Nullable GainedProperties gained;

        StrictBean(BeanDeserializerBase bean, JavaType type) {
            super(bean);
            this.bean = bean;
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
        protected ValueDeserializer<?> newDelegatingInstance(ValueDeserializer<?> changed) {
            return changed instanceof BeanDeserializerBase other ? new StrictBean(other, type) : changed;
        }

        @Override
        public ValueDeserializer<Object> unwrappingDeserializer(
                DeserializationContext context, NameTransformer transformer) {
            return bean.unwrappingDeserializer(context, transformer);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            boolean isEmpty = parser.hasToken(JsonToken.END_OBJECT);
            // A type's name in front may have been read: then the first property is next.
            if (!isEmpty && !parser.hasToken(JsonToken.START_OBJECT) && !parser.hasToken(JsonToken.PROPERTY_NAME)) {
                return bean.deserialize(parser, context);
            }
            try (TokenBuffer whole = isEmpty
                            ? emptyObject(context)
                            : context.bufferForInputBuffering(parser).deserialize(parser, context);
                    TokenBuffer completed = completed(whole, context);
                    JsonParser again = completed.asParserOnFirstToken(context, parser)) {
                return names().reader.deserialize(again, context);
            }
        }

        private TokenBuffer emptyObject(DeserializationContext context) {
            TokenBuffer empty = context.bufferForInputBuffering();
            empty.writeStartObject();
            empty.writeEndObject();
            return empty;
        }

        /** What is there, with what is optional; all of it, unless another build may have written it. */
        private TokenBuffer completed(TokenBuffer whole, DeserializationContext context) {
            List<String> found = namesIn(whole, context);
            List<String> unknown = unknown(found);
            List<String> missing = missing(found);
            if (context.getAttribute(OF_ANOTHER_BUILD) == null || (unknown.isEmpty() && missing.isEmpty())) {
                require(unknown, missing);
                return whole;
            }
            List<String> notLost = OtherBuilds.notLost(type.getRawClass(), unknown, missing);
            GainedProperties gained = gained(context);
            // Beside something unknown, what is missing may have been renamed.
            List<String> needed = missing.stream()
                    .filter(each -> !notLost.isEmpty() || !gained.isOptional(each))
                    .toList();
            require(notLost, needed);
            return gained.added(missing, whole, context);
        }

        private List<String> namesIn(TokenBuffer whole, DeserializationContext context) {
            List<String> found = new ArrayList<>();
            try (JsonParser parser = whole.asParserOnFirstToken(context)) {
                while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                    found.add(names().of(parser.currentName()));
                    parser.nextToken();
                    parser.skipChildren();
                }
            }
            return found;
        }

        private List<String> unknown(List<String> found) {
            if (bean.hasAnySetter()) return List.of();
            Set<String> possible = names().possible;
            return found.stream().filter(each -> !possible.contains(each)).toList();
        }

        private List<String> missing(List<String> found) {
            return names().required.stream()
                    .filter(each -> !found.contains(each))
                    .toList();
        }

        private void require(List<String> unknown, List<String> missing) {
            if (unknown.isEmpty() && missing.isEmpty()) return;
            String name = ClassUtils.getShortName(type.getRawClass());
            List<String> clauses = new ArrayList<>();
            if (!unknown.isEmpty()) clauses.add(name + " has no property " + quoted(unknown));
            if (!missing.isEmpty()) {
                clauses.add(quoted(missing) + " of " + name + (missing.size() == 1 ? " is missing" : " are missing"));
            }
            throw new StrictJson.LossException(String.join(", and ", clauses));
        }

        private static String quoted(List<String> names) {
            return String.join(
                    ", ",
                    names.stream()
                            .limit(5)
                            .map(each -> NAME.matcher(each).matches() ? "'" + each + "'" : "'…'")
                            .toList());
        }

        private Names names() {
            Names known = names;
            if (known == null) {
                known = lookUp();
                names = known;
            }
            return known;
        }

        private GainedProperties gained(DeserializationContext context) {
            GainedProperties known = gained;
            if (known == null) {
                known = GainedProperties.of(Objects.requireNonNull(mapper), bean, type, names().required, context);
                gained = known;
            }
            return known;
        }

        private Names lookUp() {
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
