package io.alphaomega.server.stream;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** What a bundle trusts, and which certificate of an omega it does not, for the log. */
final class ClientTrust extends X509ExtendedTrustManager {
    private final X509ExtendedTrustManager trust;

    private ClientTrust(X509ExtendedTrustManager trust) {
        this.trust = trust;
    }

    static TrustManager[] around(TrustManager[] managers) {
        return Arrays.stream(managers)
                .map(each -> each instanceof X509ExtendedTrustManager trust ? new ClientTrust(trust) : each)
                .toArray(TrustManager[]::new);
    }

    private interface Check {
        void run() throws CertificateException;
    }

    private static void check(X509Certificate[] chain, Check check) throws CertificateException {
        try {
            check.run();
        } catch (CertificateException e) {
            X509Certificate shown = chain[0];
            // Without a cause: this says it all, and is what is looked for innermost.
            throw new CertificateException("its certificate %s, issued by %s, valid from %s to %s, is not trusted (%s)"
                    .formatted(
                            shown.getSubjectX500Principal().getName(),
                            shown.getIssuerX500Principal().getName(),
                            shown.getNotBefore().toInstant(),
                            shown.getNotAfter().toInstant(),
                            e.getMessage()));
        }
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type, engine));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type, socket));
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        check(chain, () -> trust.checkClientTrusted(chain, type));
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        trust.checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        trust.checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        trust.checkServerTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return trust.getAcceptedIssuers();
    }
}
