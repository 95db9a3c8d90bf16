package io.alphaomega.omega;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes one argument or result of a {@link Compensable} method, and reads it again for the compensation, perhaps
 * months later and in the service's next version. A bean of this type replaces omega's own codec, which is strict JSON;
 * it must be able to read whatever that one wrote for sagas that are still open. Any thread may call it.
 *
 * <p>An exception while writing makes the branch fail before the method runs or before its transaction commits; an
 * exception while reading suspends the saga as {@code UNDECODABLE}. Only the exception's class is reported, since its
 * message may show values.
 */
public interface PayloadCodec {

    /**
     * The value as one JSON value in UTF-8; data that is not JSON by nature, such as encrypted bytes, goes into a JSON
     * string. Equal values must be equal bytes: a repeated call with other bytes is refused.
     *
     * @param type as declared
     */
    byte[] encode(Type type, @Nullable Object value);

    /**
     * The value again. It never guesses: it throws if the bytes do not describe a complete value of that type.
     *
     * @param type as declared
     */
    @Nullable
    Object decode(Type type, byte[] json);
}
