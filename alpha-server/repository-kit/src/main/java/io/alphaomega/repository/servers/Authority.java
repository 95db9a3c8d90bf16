package io.alphaomega.repository.servers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;

/** Somebody who issues certificates, by the JDK's keytool, with all keys in one file. */
public final class Authority {
    private final Path directory;
    private final String name;

    /** The certificate to trust, in PEM. */
    public final Path certificate;

    /** A new one, in files of this name in the directory. */
    public Authority(Path directory, String name) throws IOException, GeneralSecurityException {
        this.directory = directory;
        this.name = name;
        keytool(name, "-ext", "bc:c", "-validity", "10");
        certificate = pem(name).certificate();
    }

    /**
     * A certificate in PEM, with its key.
     *
     * @param certificate of the owner; that of the authority is not in it
     */
    public record Issued(Path certificate, Path key) {
        /** Puts these in the place of the others, whose readers see whole files, the key last. */
        public void replace(Issued others) throws IOException {
            move(certificate, others.certificate);
            move(key, others.key);
        }

        private static void move(Path from, Path to) throws IOException {
            Path beside = Files.copy(from, to.resolveSibling(to.getFileName() + ".new"));
            Files.move(beside, to, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
    }

    /** A certificate for this machine, valid from now on. */
    public Issued issue(String owner) throws IOException, GeneralSecurityException {
        return issue(owner, "-validity", "10");
    }

    /** A certificate for this machine that was valid last month. */
    public Issued issueExpired(String owner) throws IOException, GeneralSecurityException {
        return issue(owner, "-startdate", "-30d", "-validity", "10");
    }

    private Issued issue(String owner, String... validity) throws IOException, GeneralSecurityException {
        List<String> options = new ArrayList<>(List.of("-signer", name, "-ext", "SAN=IP:127.0.0.1"));
        options.addAll(List.of(validity));
        keytool(owner, options.toArray(String[]::new));
        return pem(owner);
    }

    private void keytool(String alias, String... options) throws IOException {
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
                Certificate.PASSWORD,
                "-keystore",
                store()));
        command.addAll(List.of(options));
        Command.of(command.toArray()).run(directory);
    }

    private Path store() {
        return directory.resolve(name + ".p12");
    }

    private Issued pem(String alias) throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream from = Files.newInputStream(store())) {
            keys.load(from, Certificate.PASSWORD.toCharArray());
        }
        return new Issued(
                Certificate.pem(
                        directory.resolve(alias + ".crt"),
                        "CERTIFICATE",
                        keys.getCertificate(alias).getEncoded()),
                Certificate.pem(
                        directory.resolve(alias + ".key"),
                        "PRIVATE KEY",
                        keys.getKey(alias, Certificate.PASSWORD.toCharArray()).getEncoded()));
    }
}
