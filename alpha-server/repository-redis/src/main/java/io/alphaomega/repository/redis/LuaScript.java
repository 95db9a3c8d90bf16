package io.alphaomega.repository.redis;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What runs in Redis, each time as one undivided step. */
enum LuaScript {
    APPEND("layout", "append"),
    DUE("layout", "due"),
    SCAN("layout", "scan"),
    SUMMARY("layout", "summary"),
    COUNTS("layout", "counts"),
    PURGE("layout", "purge"),
    FORGET("layout", "forget");

    private final String source;
    private final String digest;

    LuaScript(String... parts) {
        source = Stream.of(parts).map(LuaScript::read).collect(Collectors.joining("\n"));
        digest = sha1(source.getBytes(StandardCharsets.UTF_8));
    }

    private static String read(String name) {
        try (InputStream resource = LuaScript.class.getResourceAsStream(name + ".lua")) {
            if (resource == null) throw new IllegalStateException("the resource " + name + ".lua is missing");
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As Redis computes it. */
    private static String sha1(byte[] source) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-1").digest(source));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-1", e);
        }
    }

    String source() {
        return source;
    }

    /** By which a server knows it once it has seen the source. */
    String digest() {
        return digest;
    }
}
