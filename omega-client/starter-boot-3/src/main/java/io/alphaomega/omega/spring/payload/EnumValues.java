package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.BeanDeserializerModifier;
import com.fasterxml.jackson.databind.deser.std.EnumDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import com.fasterxml.jackson.databind.util.EnumResolver;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Enums with {@code @JsonValue}: Jackson 2 writes that, but reads what {@code toString} says where that is wanted at all. */
final class EnumValues {
    private EnumValues() {}

    static SimpleModule in(SimpleModule module) {
        return module.setDeserializerModifier(new Readers()).setSerializerModifier(new Writers());
    }

    private static final class Readers extends BeanDeserializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonDeserializer<?> modifyEnumDeserializer(
                DeserializationConfig config,
                JavaType type,
                BeanDescription description,
                JsonDeserializer<?> deserializer) {
            EnumResolver values = values(config, description);
            return values == null ? deserializer : new EnumDeserializer(values, false, null, values);
        }

        @Override
        public KeyDeserializer modifyKeyDeserializer(
                DeserializationConfig config, JavaType type, KeyDeserializer deserializer) {
            if (!type.isEnumType()) return deserializer;
            EnumResolver values = values(config, config.introspect(type));
            return values == null ? deserializer : new Key(values);
        }

        private static @Nullable EnumResolver values(DeserializationConfig config, BeanDescription description) {
            AnnotatedMember value = description.findJsonValueAccessor();
            if (value == null) return null;
            value.fixAccess(config.isEnabled(MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS));
            return EnumResolver.constructUsingMethod(config, description.getClassInfo(), value);
        }
    }

    private static final class Key extends KeyDeserializer {
        private final EnumResolver values;

        Key(EnumResolver values) {
            this.values = values;
        }

        @Override
        public Object deserializeKey(String key, DeserializationContext context) throws IOException {
            Enum<?> found = values.findEnum(key);
            return found != null
                    ? found
                    : context.handleWeirdKey(values.getEnumClass(), key, "not one of the values of the enum");
        }
    }

    private static final class Writers extends BeanSerializerModifier {
        private static final long serialVersionUID = 1L;

        @Override
        public JsonSerializer<?> modifyKeySerializer(
                SerializationConfig config, JavaType type, BeanDescription description, JsonSerializer<?> serializer) {
            AnnotatedMember value = type.isEnumType() ? description.findJsonValueAccessor() : null;
            if (value == null) return serializer;
            value.fixAccess(config.isEnabled(MapperFeature.OVERRIDE_PUBLIC_ACCESS_MODIFIERS));
            return new Name(value);
        }
    }

    private static final class Name extends StdSerializer<Object> {
        private static final long serialVersionUID = 1L;

        private final transient AnnotatedMember value;

        Name(AnnotatedMember value) {
            super(Object.class);
            this.value = value;
        }

        @Override
        public void serialize(Object constant, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeFieldName(String.valueOf(value.getValue(constant)));
        }
    }
}
