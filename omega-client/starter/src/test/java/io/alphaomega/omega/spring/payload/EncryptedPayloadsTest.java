package io.alphaomega.omega.spring.payload;

import static io.alphaomega.omega.spring.Applications.assertRefused;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.spring.Applications;
import io.alphaomega.omega.spring.config.OmegaProperties;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What alpha and the fence keep, encrypted. */
class EncryptedPayloadsTest {
    private static final String SECRET = "card 4711";
    private static final String OLD = key(16, 'o');
    private static final String NEW = key(32, 'n');

    private static String key(int length, char of) {
        return Base64.getEncoder()
                .encodeToString(String.valueOf(of).repeat(length).getBytes(StandardCharsets.US_ASCII));
    }

    private static PayloadCodec codec(Map<String, String> keys, String active) {
        return EncryptedPayloads.around(new StrictJson(), new OmegaProperties.Encryption(true, keys, active, true));
    }

    private static String text(byte[] written) {
        return new String(written, StandardCharsets.UTF_8);
    }

    @Test
    void values_come_back_and_cannot_be_read_in_between() {
        PayloadCodec codec = codec(Map.of("k", NEW), "k");
        for (String value : List.of(SECRET, "", "ü".repeat(10_000))) {
            byte[] written = codec.encode(String.class, value);

            assertThat(text(written)).matches("\"aes-gcm:1:k:[A-Za-z0-9+/=]+\"").doesNotContain(SECRET);
            assertThat(codec.decode(String.class, written)).isEqualTo(value);
        }
        assertThat(codec.decode(String.class, codec.encode(String.class, null))).isNull();
    }

    @Test
    void equal_values_are_equal_bytes_so_that_a_repeated_call_is_the_same_call() {
        byte[] written = codec(Map.of("k", NEW), "k").encode(String.class, SECRET);

        assertThat(codec(Map.of("k", NEW), "k").encode(String.class, SECRET)).isEqualTo(written);
        assertThat(codec(Map.of("k", NEW), "k").encode(String.class, SECRET + " "))
                .isNotEqualTo(written);
    }

    @Test
    void old_keys_decrypt_what_they_have_encrypted() {
        byte[] before = codec(Map.of("old", OLD), "old").encode(String.class, SECRET);
        PayloadCodec rotated = codec(Map.of("old", OLD, "new", NEW), "new");

        assertThat(rotated.decode(String.class, before)).isEqualTo(SECRET);
        assertThat(text(rotated.encode(String.class, SECRET))).startsWith("\"aes-gcm:1:new:");
    }

    @Test
    void what_was_written_before_is_read_unless_that_is_forbidden() {
        byte[] plain = new StrictJson().encode(String.class, SECRET);
        assertThat(codec(Map.of("k", NEW), "k").decode(String.class, plain)).isEqualTo(SECRET);

        PayloadCodec strict = EncryptedPayloads.around(
                new StrictJson(), new OmegaProperties.Encryption(true, Map.of("k", NEW), "k", false));
        assertUndecodable(strict, plain, "omega.payload.encryption.read-plain");
    }

    @Test
    void where_encryption_is_switched_off_again_its_keys_still_read() {
        byte[] written = codec(Map.of("k", NEW), "k").encode(String.class, SECRET);
        PayloadCodec off = EncryptedPayloads.around(
                new StrictJson(), new OmegaProperties.Encryption(false, Map.of("k", NEW), "", true));

        assertThat(off.decode(String.class, written)).isEqualTo(SECRET);
        assertThat(text(off.encode(String.class, SECRET))).isEqualTo("\"" + SECRET + "\"");
    }

    @Test
    void what_cannot_be_decrypted_is_undecodable_with_a_sentence_that_shows_no_values() {
        byte[] written = codec(Map.of("old", OLD), "old").encode(String.class, SECRET);
        assertUndecodable(codec(Map.of("new", NEW), "new"), written, "the key 'old'", "only [new]");
        assertUndecodable(codec(Map.of("old", NEW), "old"), written, "another key of the id 'old', or was altered");

        byte[] altered = written.clone();
        altered[30] = (byte) (altered[30] == 'A' ? 'B' : 'A');
        assertUndecodable(codec(Map.of("old", OLD), "old"), altered, "was altered");
        byte[] renamed = text(written).replace(":old:", ":new:").getBytes(StandardCharsets.US_ASCII);
        assertUndecodable(codec(Map.of("new", OLD), "new"), renamed, "was altered");
        byte[] cut = (text(written).substring(0, 20) + "\"").getBytes(StandardCharsets.US_ASCII);
        assertUndecodable(codec(Map.of("old", OLD), "old"), cut, "was altered");
    }

    private static void assertUndecodable(PayloadCodec codec, byte[] written, String... sentences) {
        byte[] array = ("[" + text(written) + "]").getBytes(StandardCharsets.UTF_8);
        assertThatExceptionOfType(Payloads.UndecodableException.class)
                .isThrownBy(() -> new Payloads(codec, true).arguments(List.of(String.class), array))
                .withMessageContainingAll(sentences)
                .withMessageStartingWith("argument 1 cannot be read: ")
                .withMessageNotContaining(SECRET);
    }

    @Test
    void keys_that_are_none_keep_a_service_from_starting_and_are_not_shown() {
        refused("keys.k has 15 bytes, but a key of AES has 16, 24 or 32", "active-key=k", "keys.k=" + key(15, 'x'));
        refused("keys.k is not base64", "active-key=k", "keys.k=x?x");
        refused("active-key is 'other', but the keys are [k]", "active-key=other", "keys.k=" + OLD);
        refused("active-key is '', but the keys are [k]", "keys.k=" + OLD);
        refused("active-key is 'k', but the keys are []", "active-key=k");
        refused("the id 'a b'", "active-key=a b", "keys[a b]=" + OLD);
    }

    private static void refused(String sentence, String... properties) {
        ApplicationContextRunner application = Applications.plain();
        for (String property : properties) {
            application = application.withPropertyValues("omega.payload.encryption." + property);
        }
        application.run(context -> {
            assertRefused(context, "omega.payload.encryption", sentence);
            assertThat(context.getStartupFailure()).hasStackTraceContaining(sentence);
            assertThat(String.valueOf(context.getStartupFailure())).doesNotContain(OLD, "x?x", key(15, 'x'));
        });
    }
}
