package io.alphaomega.samples.booking.processes;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Authority.Issued;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** An alpha that speaks TLS on both of its ports and asks omegas for certificates. */
final class SecureAlpha implements AutoCloseable {
    final String grpc = "127.0.0.1:" + ServerProcess.freePort();
    final AlphaApi api;
    private final HttpClient http;
    private final Path log;
    private final Node node;

    /** @param shown is followed when it changes */
    SecureAlpha(Path directory, Issued shown, Path trusted) throws Exception {
        int port = ServerProcess.freePort();
        http = HttpClient.newBuilder().sslContext(trusting(trusted)).build();
        URI base = URI.create("https://127.0.0.1:" + port);
        api = new AlphaApi(base, http);
        log = directory.resolve("alpha.log");
        String bundle = "--spring.ssl.bundle.pem.alpha.";
        Command command = AlphaCommand.built()
                .with(
                        bundle + "keystore.certificate=file:" + shown.certificate(),
                        bundle + "keystore.private-key=file:" + shown.key(),
                        bundle + "truststore.certificate=file:" + trusted,
                        bundle + "reload-on-update=true",
                        "--spring.ssl.bundle.watch.file.quiet-period=200ms",
                        "--alpha.grpc.ssl.bundle=alpha",
                        "--alpha.grpc.ssl.client-auth=need",
                        "--server.ssl.bundle=alpha",
                        "--server.port=" + port,
                        "--alpha.grpc.port=" + grpc.split(":", 2)[1],
                        "--alpha.cluster.port=" + ServerProcess.freePort(),
                        "--alpha.repository.embedded.directory=" + directory.resolve("sagas"),
                        "--alpha.saga.start-grace=1s");
        node = new Node("alpha", command.words(), log, base.resolve("/actuator/health/readiness"), http);
        node.start();
    }

    private static SSLContext trusting(Path authority) throws Exception {
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        try (var from = Files.newInputStream(authority)) {
            trusted.setCertificateEntry(
                    "authority", CertificateFactory.getInstance("X.509").generateCertificate(from));
        }
        TrustManagerFactory managers = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        managers.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, managers.getTrustManagers(), null);
        return context;
    }

    /** What it has logged. */
    String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        node.close();
        http.close();
    }
}
