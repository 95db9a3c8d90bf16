package io.alphaomega.omega.spring.payload;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON taken apart without being bound: its values are the bytes that stand there. */
final class JsonPieces {
    private static final JsonFactory JSON = new JsonFactory();

    private JsonPieces() {}

    /** The text is not what was expected; says where, and shows no values. */
    static final class BrokenException extends RuntimeException {
        BrokenException(String sentence) {
            super(sentence);
        }
    }

    /** The elements of an array that is the whole text. */
    static List<byte[]> elements(byte[] array) {
        List<byte[]> values = new ArrayList<>();
        try (JsonParser parser = JSON.createParser(array)) {
            require(parser.nextToken() == JsonToken.START_ARRAY, "an array was expected");
            while (parser.nextToken() != JsonToken.END_ARRAY) {
                require(parser.currentToken() != null, "the array has no end");
                values.add(value(parser, array));
            }
            require(parser.nextToken() == null, "something follows the array");
        } catch (IOException e) {
            throw broken(e);
        }
        return values;
    }

    /** The members of an object that is the whole text. */
    static Map<String, byte[]> members(byte[] object) {
        Map<String, byte[]> members = new LinkedHashMap<>();
        try (JsonParser parser = JSON.createParser(object)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "an object was expected");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                require(members.put(name, value(parser, object)) == null, "a name stands there twice");
            }
            require(parser.currentToken() == JsonToken.END_OBJECT, "the object has no end");
            require(parser.nextToken() == null, "something follows the object");
        } catch (IOException e) {
            throw broken(e);
        }
        return members;
    }

    /** What a JSON string says. */
    static String text(byte[] string) {
        try (JsonParser parser = JSON.createParser(string)) {
            require(parser.nextToken() == JsonToken.VALUE_STRING, "a string was expected");
            return parser.getText();
        } catch (IOException e) {
            throw broken(e);
        }
    }

    private static byte[] value(JsonParser parser, byte[] whole) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        parser.skipChildren();
        parser.finishToken();
        return Arrays.copyOfRange(whole, from, (int) parser.currentLocation().getByteOffset());
    }

    private static void require(boolean holds, String sentence) {
        if (!holds) throw new BrokenException(sentence);
    }

    private static BrokenException broken(IOException e) {
        return new BrokenException(StrictJson.reason(e));
    }
}
