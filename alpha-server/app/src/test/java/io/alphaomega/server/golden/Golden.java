package io.alphaomega.server.golden;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import com.google.protobuf.UnknownFieldSet;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * One message as a released version wrote it.
 *
 * @param name what it is about; a sentence for a reviewer
 * @param means what that version understood by it
 * @param bytes in hexadecimal; frozen
 * @param text the message in protobuf's text format; a new sample is written as this alone
 */
record Golden(String name, String means, String bytes, String text) {
    /** The first released version. A new one gets a directory of its own beside it. */
    static final Path FIRST = Path.of("src/test/resources/golden/1.0");

    /**
     * {@code -Drewrite} completes samples that have no bytes yet, or no meaning: where the words of a meaning change and
     * not what they say, delete the line, complete it, and review the difference. It changes no bytes: they were sent.
     */
    static final boolean REWRITE = System.getProperty("rewrite") != null;

    private static final String NAME = "== ";
    private static final String MEANS = "means: ";
    private static final String BYTES = "bytes: ";

    /** No message of 1.0 has a field of that number; a newer one may. */
    private static final UnknownFieldSet OF_A_NEWER_VERSION = UnknownFieldSet.newBuilder()
            .addField(
                    9_999,
                    UnknownFieldSet.Field.newBuilder()
                            .addLengthDelimited(ByteString.copyFromUtf8("new"))
                            .build())
            .build();

    /** The samples of a file; with {@link #REWRITE} completed first by what today's code makes of {@code type}. */
    static <T extends Message> List<Golden> read(Path file, T type, Function<T, String> meaning) {
        try {
            List<Golden> samples = Stream.of(Files.readString(file).split("(?m)^" + NAME, -1))
                    .filter(block -> !block.isBlank())
                    .map(Golden::parse)
                    .toList();
            assertThat(samples).extracting(Golden::name).doesNotHaveDuplicates();
            if (!REWRITE) return samples;
            List<Golden> completed =
                    samples.stream().map(each -> each.complete(type, meaning)).toList();
            Files.writeString(file, completed.stream().map(Golden::block).collect(Collectors.joining("\n")));
            return completed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Golden parse(String block) {
        String means = "";
        String bytes = "";
        List<String> text = new ArrayList<>();
        List<String> lines = block.strip().lines().toList();
        for (String line : lines.subList(1, lines.size())) {
            if (line.startsWith(MEANS)) means = line.substring(MEANS.length());
            else if (line.startsWith(BYTES)) bytes = line.substring(BYTES.length());
            else text.add(line);
        }
        return new Golden(lines.getFirst(), means, bytes, String.join("\n", text));
    }

    private String block() {
        return NAME + name + "\n" + MEANS + means + "\n" + BYTES + bytes + "\n" + (text.isEmpty() ? "" : text + "\n");
    }

    private <T extends Message> Golden complete(T type, Function<T, String> meaning) {
        T written = written(type);
        return new Golden(
                name,
                means.isEmpty() ? meaning.apply(written) : means,
                bytes.isEmpty() ? HexFormat.of().formatHex(written.toByteArray()) : bytes,
                bytes.isEmpty() ? print(written) : text);
    }

    /** The message as today's names say it. */
    @SuppressWarnings("unchecked") // A builder of T builds a T.
    <T extends Message> T written(T type) {
        Message.Builder builder = type.newBuilderForType();
        try {
            TextFormat.merge(text, builder);
        } catch (TextFormat.ParseException e) {
            throw new AssertionError("'%s' is no %s of today: %s"
                    .formatted(name, type.getDescriptorForType().getFullName(), e.getMessage()));
        }
        return (T) builder.build();
    }

    byte[] sent() {
        return HexFormat.of().parseHex(bytes);
    }

    static String print(Message message) {
        return TextFormat.printer()
                .escapingNonAscii(false)
                .printToString(message)
                .strip();
    }

    /** The message with a field, in it and in each message within it, that only a newer version knows. */
    static Message withFieldsOfANewerVersion(Message message) {
        Message.Builder builder = message.toBuilder().setUnknownFields(OF_A_NEWER_VERSION);
        message.getAllFields().forEach((field, value) -> {
            if (value instanceof Message inner) {
                builder.setField(field, withFieldsOfANewerVersion(inner));
            } else if (value instanceof List<?> items && !field.isMapField()) {
                for (int i = 0; i < items.size(); i++) {
                    if (items.get(i) instanceof Message inner) {
                        builder.setRepeatedField(field, i, withFieldsOfANewerVersion(inner));
                    }
                }
            }
        });
        return builder.build();
    }
}
