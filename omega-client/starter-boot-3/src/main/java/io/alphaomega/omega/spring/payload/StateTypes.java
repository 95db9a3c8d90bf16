package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.Module;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import java.io.IOException;
import java.time.DateTimeException;
import java.util.LinkedHashSet;
import java.util.Set;

/** How types of Java's are written and read that Jackson's own form would not bring back whole. */
final class StateTypes {
    private StateTypes() {}

    static Module module() {
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
        public void serialize(T value, JsonGenerator json, SerializerProvider context) throws IOException {
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
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return text.type().cast(context.handleUnexpectedToken(getValueType(context), parser));
            }
            try {
                return text.read().apply(parser.getText());
            } catch (DateTimeException | IllegalArgumentException e) {
                throw new StrictJson.Loss(parser, "it is no " + text.type().getSimpleName() + " as omega writes it");
            }
        }
    }
}
