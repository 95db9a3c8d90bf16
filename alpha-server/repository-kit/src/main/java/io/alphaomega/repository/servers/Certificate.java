package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
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
        Command.of(
                        Path.of(System.getProperty("java.home"), "bin", "keytool"),
                        "-genkeypair",
                        "-alias",
                        name,
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=" + name,
                        "-ext",
                        "SAN=IP:127.0.0.1",
                        "-validity",
                        "10",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store)
                .run(directory);
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream from = Files.newInputStream(store)) {
            keys.load(from, PASSWORD.toCharArray());
        }
        return new Certificate(
                pem(
                        directory.resolve(name + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate(name).getEncoded()),
                pem(
                        directory.resolve(name + ".key"),
                        "PRIVATE KEY",
                        keys.getKey(name, PASSWORD.toCharArray()).getEncoded()),
                context(keys));
    }

    private static SSLContext context(KeyStore keys) throws GeneralSecurityException {
        KeyManagerFactory managers = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        managers.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(managers.getKeyManagers(), null, null);
        return context;
    }

    static Path pem(Path file, String what, byte[] content) throws IOException {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
        return Files.writeString(file, "-----BEGIN %1$s-----\n%2$s\n-----END %1$s-----\n".formatted(what, text));
    }
}
