package io.alphaomega.benchmark.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * What a coordinator must know so that an agent obeys it. It is never sent: the agent makes a number up, and the other
 * answers with the number's HMAC. Everything else is sent as it is, so agents belong into a network of one's own.
 */
final class AgentToken {
    /** Of an agent that obeys everybody who reaches it. */
    static final AgentToken NONE = new AgentToken("");

    private static final int NONCE_BYTES = 16;
    private static final String HMAC = "HmacSHA256";

    private final String secret;

    private AgentToken(String secret) {
        this.secret = secret;
    }

    static AgentToken of(String secret) {
        if (secret.isBlank()) throw new IllegalArgumentException("--token must not be empty.");
        return new AgentToken(secret.strip());
    }

    static AgentToken in(Path file) {
        try {
            String secret = Files.readString(file).strip();
            if (!secret.isEmpty()) return new AgentToken(secret);
        } catch (IOException e) {
            throw new IllegalArgumentException("--token-file %s cannot be read: %s.".formatted(file, e), e);
        }
        throw new IllegalArgumentException("--token-file %s is empty: write the token into it.".formatted(file));
    }

    boolean isNone() {
        return secret.isEmpty();
    }

    static String nonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    String proof(String nonce) {
        try {
            Mac mac = Mac.getInstance(HMAC);
            mac.init(new SecretKeySpec(("alpha-benchmark " + secret).getBytes(UTF_8), HMAC));
            return HexFormat.of().formatHex(mac.doFinal(nonce.getBytes(UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has " + HMAC, e);
        }
    }

    boolean isProved(String nonce, String proof) {
        return isNone() || MessageDigest.isEqual(proof(nonce).getBytes(UTF_8), proof.getBytes(UTF_8));
    }
}
