package io.alphaomega.repository.elasticsearch;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.apache.http.Header;
import org.apache.http.HttpHost;
import org.apache.http.impl.nio.client.HttpAsyncClientBuilder;
import org.apache.http.impl.nio.reactor.IOReactorConfig;
import org.apache.http.message.BasicHeader;
import org.elasticsearch.client.RestClient;
import org.elasticsearch.client.RestClientBuilder;

/** How the clients of the nodes are made. */
final class ClientBuilding {
    /** A node on the same continent answers sooner; one that is away must leave time to ask another. */
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(1);

    /** A batch is synced on all copies before the answer begins. */
    private static final Duration SILENT_FOR = Duration.ofSeconds(5);

    /** How long a request waits for a connection while all are in use. */
    private static final Duration FREE_WITHIN = Duration.ofSeconds(2);

    /** Appends are few and large; loads are many after a start, and each waits for its turn. */
    private static final int CONNECTIONS = 32;

    /** What stands in between forgets idle connections after a minute and more; a request through one of those is lost. */
    private static final Duration IDLE_FOR = Duration.ofSeconds(30);

    private ClientBuilding() {}

    /** Makes clients, which connect when they are first used. Reads the certificate. */
    static ElasticsearchNodes to(ElasticsearchSettings settings) {
        Optional<SSLContext> tls = settings.caCertificate().map(ClientBuilding::trusting);
        List<ElasticsearchNode> nodes = new ArrayList<>();
        for (URI uri : settings.uris()) nodes.add(new ElasticsearchNode(uri, client(uri, settings, tls)));
        return new ElasticsearchNodes(nodes);
    }

    private static RestClient client(URI uri, ElasticsearchSettings settings, Optional<SSLContext> tls) {
        RestClientBuilder builder = RestClient.builder(new HttpHost(uri.getHost(), uri.getPort(), uri.getScheme()))
                .setRequestConfigCallback(config -> config.setConnectTimeout((int) CONNECT_WITHIN.toMillis())
                        .setSocketTimeout((int) SILENT_FOR.toMillis())
                        .setConnectionRequestTimeout((int) FREE_WITHIN.toMillis()))
                .setHttpClientConfigCallback(http -> configured(http, tls));
        settings.identity().ifPresent(identity -> builder.setDefaultHeaders(new Header[] {authorization(identity)}));
        String path = uri.getPath();
        if (path != null && path.length() > 1) builder.setPathPrefix(path);
        return builder.build();
    }

    private static HttpAsyncClientBuilder configured(HttpAsyncClientBuilder http, Optional<SSLContext> tls) {
        tls.ifPresent(http::setSSLContext);
        return http.setMaxConnPerRoute(CONNECTIONS)
                .setMaxConnTotal(CONNECTIONS)
                .setKeepAliveStrategy((response, context) -> IDLE_FOR.toMillis())
                .disableCookieManagement()
                .setDefaultIOReactorConfig(IOReactorConfig.custom()
                        .setIoThreadCount(1)
                        .setConnectTimeout((int) CONNECT_WITHIN.toMillis())
                        .setSoTimeout((int) SILENT_FOR.toMillis())
                        .setSoKeepAlive(true)
                        .setTcpNoDelay(true)
                        .build());
    }

    private static Header authorization(ElasticsearchSettings.Identity identity) {
        return new BasicHeader(
                "Authorization",
                switch (identity) {
                    case ElasticsearchSettings.Identity.ApiKey key -> "ApiKey " + key.value();
                    case ElasticsearchSettings.Identity.User user ->
                        "Basic "
                                + Base64.getEncoder()
                                        .encodeToString(
                                                (user.name() + ":" + user.password()).getBytes(StandardCharsets.UTF_8));
                });
    }

    private static SSLContext trusting(Path authorities) {
        try (InputStream pem = Files.newInputStream(authorities)) {
            Collection<? extends Certificate> certificates =
                    CertificateFactory.getInstance("X.509").generateCertificates(pem);
            if (certificates.isEmpty()) throw new GeneralSecurityException("it has no certificate");
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (Certificate each : certificates) store.setCertificateEntry("authority-" + store.size(), each);
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (IOException | GeneralSecurityException e) {
            throw new IllegalStateException(
                    "ca-certificate must be a PEM file of certificates, but %s cannot be used: %s"
                            .formatted(authorities, e.getMessage()),
                    e);
        }
    }
}
