package io.alphaomega.omega.spring;

import com.fasterxml.jackson.annotation.JsonTypeInfo.As;
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
import tools.jackson.databind.deser.ValueDeserializerModifier;
import tools.jackson.databind.deser.bean.BeanDeserializer;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.deser.std.DelegatingDeserializer;
import tools.jackson.databind.introspect.AnnotatedMember;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.introspect.ClassIntrospector;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.NameTransformer;
import tools.jackson.databind.util.TokenBuffer;

/**
 * Has objects read only if every property that would be written of them is there, and no other one. Jackson by itself
 * notices only missing parameters of constructors, and lets a class switch the rest off.
 */
final class StrictBeans extends ValueDeserializerModifier {
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
        if (!(found instanceof BeanDeserializer bean)
                || bean.getValueInstantiator().canCreateUsingDelegate()
                || Throwable.class.isAssignableFrom(description.getBeanClass())
                || takesNamesOfOthers(config, description.get())) {
            return found;
        }
        return new StrictBean(bean);
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

        /** Null until it is asked. */
        private transient volatile @Nullable Names names;

        StrictBean(BeanDeserializerBase bean) {
            super(bean);
            this.bean = bean;
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
            return changed instanceof BeanDeserializerBase other ? new StrictBean(other) : changed;
        }

        @Override
        public ValueDeserializer<Object> unwrappingDeserializer(
                DeserializationContext context, NameTransformer transformer) {
            return bean.unwrappingDeserializer(context, transformer);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            if (parser.hasToken(JsonToken.END_OBJECT)) requireAll(List.of());
            // A type's name in front may have been read: then the first property is next.
            if (!parser.hasToken(JsonToken.START_OBJECT) && !parser.hasToken(JsonToken.PROPERTY_NAME)) {
                return bean.deserialize(parser, context);
            }
            try (TokenBuffer whole = context.bufferForInputBuffering(parser).deserialize(parser, context)) {
                requireAll(namesIn(whole, context));
                try (JsonParser again = whole.asParserOnFirstToken(context, parser)) {
                    return names().reader.deserialize(again, context);
                }
            }
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

        private void requireAll(List<String> found) {
            Names expected = names();
            List<String> unknown = bean.hasAnySetter()
                    ? List.of()
                    : found.stream()
                            .filter(each -> !expected.possible.contains(each))
                            .toList();
            List<String> missing = expected.required.stream()
                    .filter(each -> !found.contains(each))
                    .toList();
            if (unknown.isEmpty() && missing.isEmpty()) return;
            String type = ClassUtils.getShortName(bean.handledType());
            List<String> clauses = new ArrayList<>();
            if (!unknown.isEmpty()) clauses.add(type + " has no property " + quoted(unknown));
            if (!missing.isEmpty()) {
                clauses.add(quoted(missing) + " of " + type + (missing.size() == 1 ? " is missing" : " are missing"));
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

        private Names lookUp() {
            JsonMapper whole = Objects.requireNonNull(mapper);
            JavaType type = bean.getValueType();
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
