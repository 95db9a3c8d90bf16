package io.alphaomega.omega.spring;

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
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.DelegatingDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.util.NameTransformer;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
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
 * notices only missing parameters of constructors, and lets a class switch the rest off.
 */
final class StrictBeans extends BeanDeserializerModifier {
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
        if (!(found instanceof BeanDeserializer bean)
                || bean.getValueInstantiator().canCreateUsingDelegate()
                || Throwable.class.isAssignableFrom(description.getBeanClass())
                || takesNamesOfOthers(config, description)) {
            return found;
        }
        return new StrictBean(bean, description.findAnySetterAccessor() != null);
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

        /** Null until it is asked. */
        private transient volatile @Nullable Names names;

        StrictBean(BeanDeserializerBase bean, boolean takesAny) {
            super(bean);
            this.bean = bean;
            this.takesAny = takesAny;
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
            return changed instanceof BeanDeserializerBase other ? new StrictBean(other, takesAny) : changed;
        }

        @Override
        public JsonDeserializer<Object> unwrappingDeserializer(NameTransformer transformer) {
            return bean.unwrappingDeserializer(transformer);
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (parser.hasToken(JsonToken.END_OBJECT)) requireAll(parser, List.of());
            // A type's name in front may have been read: then the first property is next.
            if (!parser.hasToken(JsonToken.START_OBJECT) && !parser.hasToken(JsonToken.FIELD_NAME)) {
                return bean.deserialize(parser, context);
            }
            try (TokenBuffer whole = context.bufferForInputBuffering(parser).deserialize(parser, context)) {
                requireAll(parser, namesIn(whole));
                try (JsonParser again = whole.asParser(parser)) {
                    again.nextToken();
                    return names().reader.deserialize(again, context);
                }
            }
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

        private void requireAll(JsonParser parser, List<String> found) throws JsonMappingException {
            Names expected = names();
            List<String> unknown = takesAny
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

        private Names lookUp() throws JsonMappingException {
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
