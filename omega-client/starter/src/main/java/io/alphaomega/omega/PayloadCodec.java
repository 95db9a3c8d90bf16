package io.alphaomega.omega;

import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/**
 * Writes one argument or result of a {@link Compensable} method, and reads it again for the compensation, perhaps months
 * later and in the service's next version. A bean of this type takes the place of omega's own codec, which is strict
 * JSON; it must read what that has written while sagas are open. Any thread may call it.
 *
 * <p>What it throws while writing makes the branch fail before the method runs or before its transaction commits; what
 * it throws while reading suspends the saga as {@code UNDECODABLE}. Only the exception's class is told on, since its
 * message may show values.
 */
public interface PayloadCodec {

    /**
     * The value as one JSON value in UTF-8; what is not JSON by nature, such as something encrypted, goes into a JSON
     * string. Equal values must be equal bytes: a repeated call with other ones is refused.
     *
     * @param type as declared
     */
    byte[] encode(Type type, @Nullable Object value);

    /**
     * The value again. Never guesses: it throws if the bytes do not say all of a value of that type.
     *
     * @param type as declared
     */
    @Nullable
    Object decode(Type type, byte[] json);
}
