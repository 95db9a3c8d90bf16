package io.alphaomega.repository.servers;

import java.io.IOException;
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
        Certificate.generate(store(), name, "-ext", "bc:c", "-validity", "10");
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
        Certificate.generate(store(), owner, options.toArray(String[]::new));
        return pem(owner);
    }

    private Path store() {
        return directory.resolve(name + ".p12");
    }

    private Issued pem(String alias) throws IOException, GeneralSecurityException {
        KeyStore keys = Certificate.load(store());
        return new Issued(Certificate.certificate(keys, alias, directory), Certificate.key(keys, alias, directory));
    }
}
