package io.alphaomega.server.properties;

import akka.remote.RemoteTransportException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains a start that failed because one of alpha's three addresses cannot be listened on. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AddressAnalyzer implements FailureAnalyzer {
    private static final Listener HTTP = new Listener("HTTP", "server.address", "server.port");
    private static final Listener GRPC = new Listener("gRPC", "alpha.grpc.host", "alpha.grpc.port");

    private static final Listener NODES = new Listener("other nodes", "alpha.cluster.host", "alpha.cluster.port");

    /** As the operating system says it; the JDK and netty wrap it in exceptions of their own. */
    private static final String IN_USE = "Address already in use";

    private static final String NOT_MINE = "Cannot assign requested address";

    private final Environment environment;

    AddressAnalyzer(Environment environment) {
        this.environment = environment;
    }

    /** Who listens where, by the names of the properties. */
    private record Listener(String forWhat, String host, String port) {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        boolean taken = false;
        boolean foreign = false;
        Listener listener = GRPC;
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = Objects.requireNonNullElse(cause.getMessage(), "");
            taken |= cause instanceof PortInUseException || text.contains(IN_USE);
            foreign |= text.contains(NOT_MINE);
            if (cause instanceof WebServerException) listener = HTTP;
            if (cause instanceof RemoteTransportException) listener = NODES;
        }
        String host = environment.getProperty(listener.host(), "");
        if (taken) {
            String sentence =
                    "port %s of %s, for %s, is in use by another process; end that one, or choose another with --%s=…"
                            .formatted(
                                    environment.getProperty(listener.port(), ""),
                                    host,
                                    listener.forWhat(),
                                    listener.port());
            return new FailureAnalysis(sentence, null, failure);
        }
        if (foreign) {
            String sentence =
                    "%s is not an address of this machine, so nothing can listen there for %s; choose another with --%s=…"
                            .formatted(host, listener.forWhat(), listener.host());
            return new FailureAnalysis(sentence, null, failure);
        }
        return null;
    }
}
