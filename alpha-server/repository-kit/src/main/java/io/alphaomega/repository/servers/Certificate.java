package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/**
 * A certificate for this machine that vouches for itself, with its key.
 *
 * @param certificate a file in PEM
 * @param key a file in PEM
 * @param keys both, for a server in this JVM
 */
public record Certificate(Path certificate, Path key, SSLContext keys) {
    static final String PASSWORD = "changeit";

    /** A new one, in files of this name in the directory. */
    public static Certificate of(Path directory, String name) throws IOException, GeneralSecurityException {
        Path store = directory.resolve(name + ".p12");
        generate(store, name, "-ext", "SAN=IP:127.0.0.1", "-validity", "10");
        KeyStore keys = load(store);
        return new Certificate(certificate(keys, name, directory), key(keys, name, directory), context(keys));
    }

    /** A new key with its certificate in that store, by the JDK's keytool. */
    static void generate(Path store, String alias, String... options) throws IOException {
        List<Object> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool"),
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + alias,
                "-storetype",
                "PKCS12",
                "-storepass",
                PASSWORD,
                "-keystore",
                store));
        command.addAll(List.of(options));
        Command.of(command.toArray()).run(store.resolveSibling("."));
    }

    static KeyStore load(Path store) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream from = Files.newInputStream(store)) {
            keys.load(from, PASSWORD.toCharArray());
        }
        return keys;
    }

    /** A file in PEM, named as the owner. */
    static Path certificate(KeyStore keys, String alias, Path directory) throws IOException, GeneralSecurityException {
        byte[] certificate = keys.getCertificate(alias).getEncoded();
        return pem(directory.resolve(alias + ".crt"), "CERTIFICATE", certificate);
    }

    /** The same of the key. */
    static Path key(KeyStore keys, String alias, Path directory) throws IOException, GeneralSecurityException {
        byte[] key = keys.getKey(alias, PASSWORD.toCharArray()).getEncoded();
        return pem(directory.resolve(alias + ".key"), "PRIVATE KEY", key);
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    private static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
    }
}
