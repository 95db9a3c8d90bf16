package io.alphaomega.omega.spring.payload;

import java.time.DateTimeException;
import java.util.LinkedHashSet;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/** How types of Java's are written and read that Jackson's own form would not bring back whole. */
final class StateTypes {
    private StateTypes() {}

    static JacksonModule module() {
        SimpleModule module = new SimpleModule("omega-state");
        PayloadText.ALL.forEach(each -> add(module, each));
        return module.addAbstractTypeMapping(Set.class, LinkedHashSet.class);
    }

    private static <T> void add(SimpleModule module, PayloadText<T> text) {
        module.addSerializer(text.type(), new Writer<>(text)).addDeserializer(text.type(), new Reader<>(text));
    }

    private static final class Writer<T> extends StdScalarSerializer<T> {
        private final PayloadText<T> text;

        Writer(PayloadText<T> text) {
            super(text.type());
            this.text = text;
        }

        @Override
        public void serialize(T value, JsonGenerator json, SerializationContext context) {
            json.writeString(text.write().apply(value));
        }
    }

    private static final class Reader<T> extends StdScalarDeserializer<T> {
        private final PayloadText<T> text;

        Reader(PayloadText<T> text) {
            super(text.type());
            this.text = text;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return text.type().cast(context.handleUnexpectedToken(getValueType(context), parser));
            }
            try {
                return text.read().apply(parser.getString());
            } catch (DateTimeException | IllegalArgumentException e) {
                throw new StrictJson.LossException("it is no " + text.type().getSimpleName() + " as omega writes it");
            }
        }
    }
}
