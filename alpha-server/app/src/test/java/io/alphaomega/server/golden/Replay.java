package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import java.util.List;
import java.util.function.Function;

/** Today's code against the samples of a released version, both ways. */
final class Replay {
    private Replay() {}

    /** Today's code reads the samples as they were meant, and writes what the released version's schema reads. */
    static <T extends Message> void bothWays(List<Golden> samples, T type, Function<T, String> meaning) {
        for (Golden sample : samples) {
            T read = parse(type, sample.sent());
            assertThat(Golden.print(read)).as("'%s', read today", sample.name()).isEqualTo(sample.text());
            assertThat(meaning.apply(read))
                    .as("'%s', understood today", sample.name())
                    .isEqualTo(sample.means());
            byte[] today = sample.written(type).toByteArray();
            assertThat(today).as("'%s', written today", sample.name()).isEqualTo(sample.sent());
            assertThat(readThen(type, today))
                    .as("'%s', written today, read then", sample.name())
                    .isEqualTo(sample.text());
        }
    }

    /** What a newer version adds to any message is skipped. */
    static <T extends Message> void withFieldsOfANewerVersion(
            List<Golden> samples, T type, Function<T, String> meaning) {
        for (Golden sample : samples) {
            byte[] newer =
                    Golden.withFieldsOfANewerVersion(sample.written(type)).toByteArray();
            assertThat(newer).isNotEqualTo(sample.sent());
            assertThat(meaning.apply(parse(type, newer))).as(sample.name()).isEqualTo(sample.means());
        }
    }

    @SuppressWarnings("unchecked") // The parser of T reads a T.
    static <T extends Message> T parse(T type, byte[] bytes) {
        try {
            return (T) type.getParserForType().parseFrom(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(
                    "no " + type.getDescriptorForType().getFullName() + " of today: " + e.getMessage(), e);
        }
    }

    /** As the released version's schema reads it. */
    private static String readThen(Message type, byte[] bytes) {
        try {
            return Golden.print(DynamicMessage.parseFrom(
                    Schema.of(Golden.FIRST).message(type.getDescriptorForType().getFullName()), bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("the released version cannot read it: " + e.getMessage(), e);
        }
    }
}
