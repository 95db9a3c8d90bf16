package io.alphaomega.omega.stream;

import java.security.GeneralSecurityException;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * How connections to alpha are encrypted, and whom they trust.
 *
 * @param source where that comes from, for people
 * @param showsCertificate whether there is a certificate for an alpha that asks for one
 * @param protocols those of TLS that may be spoken; empty for Java's choice
 * @param ciphers those that may be used; empty for gRPC's choice
 * @param serverName whom alpha's certificate must name, instead of the host that is connected to; empty for that host
 */
public record AlphaTls(
        SSLContext context,
        String source,
        boolean showsCertificate,
        List<String> protocols,
        List<String> ciphers,
        String serverName) {

    public AlphaTls {
        protocols = List.copyOf(protocols);
        ciphers = List.copyOf(ciphers);
    }

    /**
     * With these keys, and this trust.
     *
     * @param protocol for {@link SSLContext#getInstance(String)}
     * @param keys null for no certificate
     * @throws IllegalArgumentException if Java does not have those protocols or ciphers
     */
    public static AlphaTls of(
            String source,
            String protocol,
            KeyManager @Nullable [] keys,
            TrustManager[] trusted,
            List<String> protocols,
            List<String> ciphers,
            String serverName)
            throws GeneralSecurityException {
        SSLContext context = SSLContext.getInstance(protocol);
        context.init(keys, AlphaTrust.of(trusted, source), null);
        SSLEngine tried = context.createSSLEngine();
        if (!protocols.isEmpty()) tried.setEnabledProtocols(protocols.toArray(String[]::new));
        if (!ciphers.isEmpty()) tried.setEnabledCipherSuites(ciphers.toArray(String[]::new));
        return new AlphaTls(context, source, keys != null, protocols, ciphers, serverName);
    }

    /** What a connection calls alpha, which is what the certificate is compared with. */
    String authority(String address) {
        if (serverName.isEmpty()) return address;
        return serverName + address.substring(address.lastIndexOf(':'));
    }
}
