package io.alphaomega.server.stream;

import io.alphaomega.server.properties.GrpcProperties.Ssl;
import io.alphaomega.server.properties.RefusedPropertyException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.ApplicationProtocolConfig;
import io.netty.handler.ssl.ApplicationProtocolConfig.Protocol;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectedListenerFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolConfig.SelectorFailureBehavior;
import io.netty.handler.ssl.ApplicationProtocolNames;
import io.netty.handler.ssl.ApplicationProtocolNegotiator;
import io.netty.handler.ssl.ClientAuth;
import io.netty.handler.ssl.IdentityCipherSuiteFilter;
import io.netty.handler.ssl.JdkSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SupportedCipherSuiteFilter;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSessionContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ssl.NoSuchSslBundleException;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;

/**
 * TLS as an SSL bundle of Spring Boot has it at the moment. When the bundle is renewed, the next connection gets the new
 * certificate, and those there are go on.
 */
final class BundleTls extends SslContext {
    private static final ApplicationProtocolConfig HTTP_2 = new ApplicationProtocolConfig(
            Protocol.ALPN,
            SelectorFailureBehavior.NO_ADVERTISE,
            SelectedListenerFailureBehavior.ACCEPT,
            ApplicationProtocolNames.HTTP_2);

    private static final Logger LOG = LoggerFactory.getLogger(GrpcServer.class);

    private final Ssl properties;
    private final Clock clock;
    private volatile SslContext current;

    private BundleTls(Ssl properties, SslBundle first, Clock clock) {
        this.properties = properties;
        this.clock = clock;
        this.current = context(first);
    }

    /**
     * TLS by that bundle, followed when it is renewed.
     *
     * @throws RefusedPropertyException if there is no such bundle, or it cannot be used
     */
    static BundleTls of(Ssl properties, SslBundles bundles, Clock clock) {
        String name = properties.bundle();
        try {
            BundleTls tls = new BundleTls(properties, bundles.getBundle(name), clock);
            bundles.addBundleUpdateHandler(name, tls::renew);
            return tls;
        } catch (NoSuchSslBundleException e) {
            List<String> known = bundles.getBundleNames();
            throw new RefusedPropertyException(
                    "alpha.grpc.ssl.bundle must be a bundle under spring.ssl.bundle, such as %s, but was '%s'."
                            .formatted(
                                    known.isEmpty() ? "spring.ssl.bundle.pem." + name : String.join(", ", known), name),
                    e);
        }
    }

    private void renew(SslBundle bundle) {
        try {
            current = context(bundle);
        } catch (RefusedPropertyException e) {
            LOG.error("{} It was renewed, and new connections get the certificate that it had before.", e.getMessage());
        }
    }

    private SslContext context(SslBundle bundle) {
        try {
            ServerCertificate certificate = ServerCertificate.of(bundle);
            ClientAuth asked = asked();
            if (asked != ClientAuth.NONE && bundle.getStores().getTrustStore() == null) {
                throw new GeneralSecurityException(
                        "it has no truststore, so that alpha.grpc.ssl.client-auth would trust"
                                + " every certificate of the public authorities");
            }
            SSLContext context = SSLContext.getInstance(bundle.getProtocol());
            context.init(
                    bundle.getManagers().getKeyManagers(),
                    ClientTrust.around(bundle.getManagers().getTrustManagers()),
                    null);
            SslContext tls = context(context, bundle, asked);
            SSLEngine unused = tls.newEngine(UnpooledByteBufAllocator.DEFAULT); // Refuses what Java does not have.
            certificate.tell(LOG, properties.bundle(), clock.instant());
            return tls;
        } catch (GeneralSecurityException | RuntimeException e) {
            throw new RefusedPropertyException(
                    "alpha.grpc.ssl.bundle: The SSL bundle %s cannot be used: %s."
                            .formatted(properties.bundle(), reason(e).replaceFirst("[.]$", "")),
                    e);
        }
    }

    private ClientAuth asked() {
        return switch (properties.clientAuth()) {
            case NONE -> ClientAuth.NONE;
            case WANT -> ClientAuth.OPTIONAL;
            case NEED -> ClientAuth.REQUIRE;
        };
    }

    private static SslContext context(SSLContext context, SslBundle bundle, ClientAuth asked) {
        String[] ciphers = bundle.getOptions().getCiphers();
        return new JdkSslContext(
                context,
                false,
                ciphers == null ? Http2SecurityUtil.CIPHERS : List.of(ciphers),
                ciphers == null ? SupportedCipherSuiteFilter.INSTANCE : IdentityCipherSuiteFilter.INSTANCE,
                HTTP_2,
                asked,
                bundle.getOptions().getEnabledProtocols(),
                false);
    }

    /** All that Spring Boot and the JDK say of it; the innermost names the file. */
    private static String reason(Throwable failure) {
        StringBuilder reason = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            String message = each.getMessage() == null ? each.getClass().getSimpleName() : each.getMessage();
            if (reason.indexOf(message) >= 0) continue;
            if (!reason.isEmpty()) reason.append(": ");
            reason.append(message);
        }
        return reason.toString();
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator) {
        return current.newEngine(allocator);
    }

    @Override
    public SSLEngine newEngine(ByteBufAllocator allocator, String host, int port) {
        return current.newEngine(allocator, host, port);
    }

    @Override
    public boolean isClient() {
        return false;
    }

    @Override
    public List<String> cipherSuites() {
        return current.cipherSuites();
    }

    @Override
    @SuppressWarnings("deprecation") // Netty has no other yet.
    public ApplicationProtocolNegotiator applicationProtocolNegotiator() {
        return current.applicationProtocolNegotiator();
    }

    @Override
    public SSLSessionContext sessionContext() {
        return current.sessionContext();
    }
}
