package io.alphaomega.server.stream;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.springframework.boot.ssl.SslBundle;

/** What alpha shows to omegas, of which it has the key. */
record ServerCertificate(X509Certificate certificate) {
    /** Time enough to renew it. */
    private static final Duration SOON = Duration.ofDays(7);

    private static final byte[] CHALLENGE = {1, 2, 3};

    /**
     * The one of an SSL bundle.
     *
     * @throws GeneralSecurityException if it has none, or the key is another one's; the message ends a sentence
     */
    static ServerCertificate of(SslBundle bundle) throws GeneralSecurityException {
        KeyStore store = bundle.getStores().getKeyStore();
        String wanted = bundle.getKey().getAlias();
        if (store != null) {
            for (String alias : Collections.list(store.aliases())) {
                if (wanted != null && !wanted.equalsIgnoreCase(alias)) continue;
                if (store.getCertificate(alias) instanceof X509Certificate found && store.isKeyEntry(alias)) {
                    requireSame(found, store.getKey(alias, password(bundle)));
                    return new ServerCertificate(found);
                }
            }
        }
        throw new GeneralSecurityException("it has no certificate with a private key in its keystore"
                + (wanted == null ? "" : " by the alias '" + wanted + "'"));
    }

    private static char @Nullable [] password(SslBundle bundle) {
        String ofKey = bundle.getKey().getPassword();
        String ofStore = bundle.getStores().getKeyStorePassword();
        String password = ofKey != null ? ofKey : ofStore;
        return password == null ? null : password.toCharArray();
    }

    /** A key that was renewed without its certificate would fail every handshake. */
    private static void requireSame(X509Certificate certificate, Key key) throws GeneralSecurityException {
        String algorithm = algorithm(key.getAlgorithm());
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign((PrivateKey) key);
        signing.update(CHALLENGE);
        byte[] signature = signing.sign();
        boolean fits;
        try {
            Signature verifying = Signature.getInstance(algorithm);
            verifying.initVerify(certificate.getPublicKey());
            verifying.update(CHALLENGE);
            fits = verifying.verify(signature);
        } catch (GeneralSecurityException anotherKindOfKey) {
            fits = false;
        }
        if (!fits) {
            throw new GeneralSecurityException("its private key is not that of its certificate "
                    + certificate.getSubjectX500Principal().getName());
        }
    }

    private static String algorithm(String ofKey) {
        return switch (ofKey) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> ofKey; // EdDSA is both; others are as the provider calls them.
        };
    }

    /** Logs until when it is valid, louder if that is soon. */
    void tell(Logger log, String bundle, Instant now) {
        String subject = certificate.getSubjectX500Principal().getName();
        Instant until = certificate.getNotAfter().toInstant();
        if (until.isBefore(now)) {
            log.error(
                    "The certificate of the SSL bundle {}, {}, expired at {}: no omega connects.",
                    bundle,
                    subject,
                    until);
        } else if (until.isBefore(now.plus(SOON))) {
            log.warn("The certificate of the SSL bundle {}, {}, expires at {}: renew it.", bundle, subject, until);
        } else {
            log.info("TLS by the SSL bundle {}: certificate of {}, valid until {}", bundle, subject, until);
        }
    }
}
