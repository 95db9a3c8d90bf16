package io.alphaomega.omega.spring.payload;

import io.alphaomega.omega.spring.payload.OtherBuilds.Absent;
import java.lang.reflect.Executable;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.PropertyName;
import tools.jackson.databind.deser.SettableBeanProperty;
import tools.jackson.databind.deser.bean.BeanDeserializerBase;
import tools.jackson.databind.introspect.AnnotatedParameter;
import tools.jackson.databind.introspect.BeanPropertyDefinition;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.util.TokenBuffer;

/** What the properties of a class are where a payload of another build does not have them. */
final class GainedProperties {
    private final JsonMapper mapper;
    private final Map<String, Absent> absent = new HashMap<>();
    private final Map<String, OtherBuilds.Property> properties = new HashMap<>();

    private GainedProperties(JsonMapper mapper) {
        this.mapper = mapper;
    }

    /**
     * For the properties of these names.
     *
     * @param bean reads objects of the type
     */
    static GainedProperties of(
            JsonMapper mapper,
            BeanDeserializerBase bean,
            JavaType type,
            Set<String> names,
            DeserializationContext context) {
        Map<String, Field> fields = new HashMap<>();
        for (BeanPropertyDefinition each : StrictBeans.describe(mapper, type).findProperties()) {
            if (each.hasField()) fields.put(each.getName(), each.getField().getAnnotated());
        }
        List<Object> fresh = OtherBuilds.fresh(type.getRawClass(), () -> made(bean, context));
        GainedProperties gained = new GainedProperties(mapper);
        for (String name : names) {
            SettableBeanProperty property = bean.findProperty(PropertyName.construct(name));
            if (property == null) continue;
            AnnotatedParameter taken = property.getMember() instanceof AnnotatedParameter found ? found : null;
            OtherBuilds.Property described = new OtherBuilds.Property(
                    name,
                    type.getRawClass(),
                    property.getType().getRawClass(),
                    fields.get(name),
                    taken == null ? null : (Executable) taken.getOwner().getAnnotated(),
                    taken == null ? 0 : taken.getIndex());
            gained.properties.put(name, described);
            gained.absent.put(name, OtherBuilds.absent(described, fresh));
        }
        return gained;
    }

    private static Object made(BeanDeserializerBase bean, DeserializationContext context) {
        return bean.getValueInstantiator().createUsingDefault(context);
    }

    boolean isOptional(String name) {
        return absent.getOrDefault(name, Absent.UNKNOWN) != Absent.UNKNOWN;
    }

    /** The object with what is missing, as far as the class does not make it by itself. */
    TokenBuffer added(List<String> missing, TokenBuffer whole, DeserializationContext context) {
        TokenBuffer completed = context.bufferForInputBuffering();
        completed.writeStartObject();
        for (String name : missing) {
            Absent is = absent.get(name);
            if (is == Absent.LEFT) continue;
            completed.writeName(name);
            if (is == Absent.NULL) {
                completed.writeNull();
            } else {
                writeDefault(Objects.requireNonNull(properties.get(name)), completed);
            }
        }
        try (JsonParser parser = whole.asParserOnFirstToken(context)) {
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) completed.copyCurrentStructure(parser);
        }
        completed.writeEndObject();
        return completed;
    }

    private void writeDefault(OtherBuilds.Property property, TokenBuffer json) {
        if (property.isText()) {
            json.writeString(property.defaultText());
            return;
        }
        try (JsonParser parser = mapper.createParser(property.defaultText())) {
            parser.nextToken();
            json.copyCurrentStructure(parser);
        } catch (JacksonException e) {
            throw new StrictJson.LossException("the defaultValue of '" + property.name() + "' is not JSON");
        }
    }
}
