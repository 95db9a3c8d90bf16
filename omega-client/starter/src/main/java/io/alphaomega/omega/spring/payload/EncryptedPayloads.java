package io.alphaomega.omega.spring.payload;

import io.alphaomega.omega.PayloadCodec;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What another codec writes, encrypted with AES-GCM (NIST SP 800-38D) by a key that has an id. A value is a JSON string,
 * {@code "aes-gcm:1:KEY-ID:…"}, with nonce, ciphertext and tag in base64.
 *
 * <p>Equal values are equal bytes, as {@link PayloadCodec} wants: the nonce is the beginning of an HMAC-SHA256 of the
 * value, by a key that is made of the same one. Like a random nonce it does not come twice for different values, with a
 * probability of less than one in 2^32 for 2^32 values of a key. So who reads the store sees which values are equal, and
 * how long they are, and no more.
 */
public final class EncryptedPayloads implements PayloadCodec {
    private static final String PREFIX = "aes-gcm:1:";

    private static final Pattern KEY_ID = Pattern.compile("[A-Za-z0-9._-]{1,64}");
    private static final Pattern ENCRYPTED =
            Pattern.compile("\"" + PREFIX + "(" + KEY_ID.pattern() + "):([A-Za-z0-9+/]+={0,2})\"");

    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final byte[] NONCES = "omega payload nonces".getBytes(StandardCharsets.US_ASCII);

    private final PayloadCodec inner;
    private final Map<String, Key> keys;
    private final @Nullable String active;
    private final boolean readsPlain;

    private record Key(SecretKeySpec values, SecretKeySpec nonces) {}

    /**
     * @param active the id of the key to write with; null to write as {@code inner} does
     * @param readsPlain whether what {@code inner} has written is read
     */
    private EncryptedPayloads(PayloadCodec inner, Map<String, Key> keys, @Nullable String active, boolean readsPlain) {
        this.inner = inner;
        this.keys = keys;
        this.active = active;
        this.readsPlain = readsPlain;
    }

    /** The codec, with what the properties want around it: nothing if they name no key. */
    public static PayloadCodec around(PayloadCodec inner, OmegaProperties.Encryption properties) {
        if (properties.keys().isEmpty() && properties.activeKey().isEmpty()) return inner;
        Map<String, Key> keys = new TreeMap<>();
        properties.keys().forEach((id, base64) -> keys.put(id, key(id, base64)));
        String active = properties.activeKey();
        if (properties.enabled() && !keys.containsKey(active)) {
            throw new OmegaConfigurationException(
                    "omega.payload.encryption.active-key is '%s', but the keys are %s."
                            .formatted(active, keys.keySet()),
                    "Name the one to encrypt with; or set omega.payload.encryption.enabled to false to encrypt nothing"
                            + " more, and only read what is encrypted.");
        }
        return new EncryptedPayloads(inner, keys, properties.enabled() ? active : null, properties.readPlain());
    }

    /** Says nothing of the key itself. */
    private static Key key(String id, String base64) {
        if (!KEY_ID.matcher(id).matches()) {
            throw new OmegaConfigurationException(
                    "omega.payload.encryption.keys has the id '" + id + "', which is not 1 to 64 of A-Z a-z 0-9 . _ -.",
                    "Give the key an id like that, such as 2026-11.");
        }
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(base64.strip());
        } catch (IllegalArgumentException e) {
            throw new OmegaConfigurationException(
                    "omega.payload.encryption.keys.%s is not base64.".formatted(id),
                    "Make a key with: openssl rand -base64 32.");
        }
        if (bytes.length != 16 && bytes.length != 24 && bytes.length != 32) {
            throw new OmegaConfigurationException(
                    "omega.payload.encryption.keys.%s has %d bytes, but a key of AES has 16, 24 or 32."
                            .formatted(id, bytes.length),
                    "Make a key with: openssl rand -base64 32.");
        }
        return new Key(new SecretKeySpec(bytes, "AES"), new SecretKeySpec(mac(bytes, NONCES), "HmacSHA256"));
    }

    PayloadCodec inner() {
        return inner;
    }

    /** Or only reads what it has encrypted. */
    boolean encrypts() {
        return active != null;
    }

    @Override
    public byte[] encode(Type type, @Nullable Object value) {
        byte[] plain = inner.encode(type, value);
        return active == null ? plain : encrypted(active, plain);
    }

    private byte[] encrypted(String id, byte[] plain) {
        Key key = keys.get(id);
        if (key == null) throw new IllegalStateException("the active key is there, or the service has not started");
        byte[] nonce = Arrays.copyOf(mac(key.nonces().getEncoded(), plain), NONCE_BYTES);
        byte[] sealed;
        try {
            sealed = cipher(Cipher.ENCRYPT_MODE, id, key, nonce).doFinal(plain);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
        byte[] all = Arrays.copyOf(nonce, nonce.length + sealed.length);
        System.arraycopy(sealed, 0, all, nonce.length, sealed.length);
        String text = "\"" + PREFIX + id + ":" + Base64.getEncoder().encodeToString(all) + "\"";
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public @Nullable Object decode(Type type, byte[] json) {
        Matcher found = ENCRYPTED.matcher(new String(json, StandardCharsets.UTF_8));
        if (found.matches()) return inner.decode(type, decrypted(found.group(1), found.group(2)));
        if (readsPlain) return inner.decode(type, json);
        throw new UnreadableException("it is not encrypted, and omega.payload.encryption.read-plain is false");
    }

    private byte[] decrypted(String id, String base64) {
        Key key = keys.get(id);
        if (key == null) {
            throw new UnreadableException(
                    "it is encrypted with the key '%s', and omega.payload.encryption.keys has only %s"
                            .formatted(id, keys.keySet()));
        }
        try {
            byte[] all = Base64.getDecoder().decode(base64);
            if (all.length < NONCE_BYTES) throw altered(id);
            byte[] nonce = Arrays.copyOf(all, NONCE_BYTES);
            return cipher(Cipher.DECRYPT_MODE, id, key, nonce).doFinal(all, NONCE_BYTES, all.length - NONCE_BYTES);
        } catch (AEADBadTagException | IllegalArgumentException e) {
            throw altered(id);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has AES-GCM", e);
        }
    }

    private static UnreadableException altered(String id) {
        return new UnreadableException("it is encrypted with another key of the id '%s', or was altered".formatted(id));
    }

    /** The id is guarded by the tag as well. */
    private static Cipher cipher(int mode, String id, Key key, byte[] nonce) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(mode, key.values(), new GCMParameterSpec(TAG_BITS, nonce));
        cipher.updateAAD((PREFIX + id).getBytes(StandardCharsets.US_ASCII));
        return cipher;
    }

    private static byte[] mac(byte[] key, byte[] text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java platform has HmacSHA256", e);
        }
    }

    /** A sentence that shows no values, why what is kept cannot be read here. */
    static final class UnreadableException extends RuntimeException {
        UnreadableException(String sentence) {
            super(sentence);
        }
    }
}
