package io.alphaomega.omega.stream;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateExpiredException;
import java.security.cert.CertificateNotYetValidException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/** Whom connections to alpha trust. What it says of a certificate that it refuses is what a person must know. */
final class AlphaTrust extends X509ExtendedTrustManager {
    /** The kinds of alternative names that are compared with hosts: of DNS, and IP addresses. */
    private static final List<Integer> HOSTS = List.of(2, 7);

    private final X509ExtendedTrustManager trust;
    private final String source;

    private AlphaTrust(X509ExtendedTrustManager trust, String source) {
        this.trust = trust;
        this.source = source;
    }

    static TrustManager[] of(TrustManager[] managers, String source) {
        return Arrays.stream(managers)
                .map(each ->
                        each instanceof X509ExtendedTrustManager extended ? new AlphaTrust(extended, source) : each)
                .toArray(TrustManager[]::new);
    }

    /** The message continues "No connection to alpha …:". */
    static final class RefusedCertificateException extends CertificateException {
        private static final long serialVersionUID = 1;

        RefusedCertificateException(String message, CertificateException cause) {
            super(message, cause);
        }
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private void check(X509Certificate[] chain, @Nullable String host, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            throw new RefusedCertificateException(refusal(chain, host, e), e);
        }
    }

    private String refusal(X509Certificate[] chain, @Nullable String host, CertificateException e) {
        for (X509Certificate each : chain) {
            String itself = each.equals(chain[0]) ? "its certificate " : "above its certificate is ";
            try {
                each.checkValidity();
            } catch (CertificateExpiredException expired) {
                return itself + subject(each) + ", which has expired at "
                        + each.getNotAfter().toInstant() + ": renew it, or set this machine's clock";
            } catch (CertificateNotYetValidException early) {
                return itself + subject(each) + ", which is valid only from "
                        + each.getNotBefore().toInstant() + ": set this machine's clock";
            }
        }
        String message = String.valueOf(e.getMessage());
        if (message.startsWith("No ")) {
            return "its certificate " + subject(chain[0]) + " is for " + hosts(chain[0]) + ", not for " + host
                    + ": write a host that it is for in omega.alpha.addresses, or in omega.alpha.ssl.server-name";
        }
        if (message.contains("unable to find valid certification path")) {
            return "its certificate " + subject(chain[0]) + " is issued by "
                    + chain[chain.length - 1].getIssuerX500Principal().getName() + ", whom " + source
                    + " does not trust: add that authority to the truststore of an SSL bundle and name it in"
                    + " omega.alpha.ssl.bundle";
        }
        return "its certificate " + subject(chain[0]) + " is not trusted by " + source + ": " + message;
    }

    private static String subject(X509Certificate certificate) {
        return certificate.getSubjectX500Principal().getName();
    }

    private static String hosts(X509Certificate certificate) {
        try {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            String hosts = names == null
                    ? ""
                    : names.stream()
                            .filter(each -> HOSTS.contains(each.get(0)))
                            .map(each -> String.valueOf(each.get(1)))
                            .collect(Collectors.joining(", "));
            return hosts.isEmpty() ? "no host" : hosts;
        } catch (CertificateParsingException e) {
            return "hosts that cannot be read";
        }
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain, engine.getPeerHost(), () -> trust.checkServerTrusted(chain, type, engine));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, null, () -> trust.checkServerTrusted(chain, type, socket));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, null, () -> trust.checkServerTrusted(chain, type));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trust.checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trust.checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trust.checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
