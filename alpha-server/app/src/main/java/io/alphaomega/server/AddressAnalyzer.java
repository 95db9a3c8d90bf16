package io.alphaomega.server;

import java.net.BindException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.boot.web.server.WebServerException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Explains a start that failed because one of the three addresses cannot be listened on. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AddressAnalyzer implements FailureAnalyzer {
    private static final Listener HTTP = new Listener("HTTP", "server.address", "server.port");
    private static final Listener GRPC = new Listener("gRPC", "alpha.grpc.host", "alpha.grpc.port");
    private static final Listener NODES = new Listener("other nodes", "alpha.cluster.host", "alpha.cluster.port");

    private final Environment environment;

    AddressAnalyzer(Environment environment) {
        this.environment = environment;
    }

    /** Who listens where, by the names of the properties. */
    private record Listener(String forWhat, String host, String port) {}

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        boolean unbound = false;
        boolean http = false;
        List<String> texts = new ArrayList<>();
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            unbound |= cause instanceof BindException || cause instanceof PortInUseException;
            http |= cause instanceof WebServerException;
            texts.add(Objects.requireNonNullElse(cause.getMessage(), ""));
        }
        String said = String.join("\n", texts);
        // Akka tells of a BindException by its text only.
        if (!unbound && !said.contains(BindException.class.getName())) return null;
        String nodesPort = environment.getProperty(NODES.port(), "");
        boolean nodes = said.matches("(?s).*:" + nodesPort + "\\b.*");
        return analysis(http ? HTTP : nodes ? NODES : GRPC, said, failure);
    }

    private FailureAnalysis analysis(Listener listener, String said, Throwable failure) {
        String port = environment.getProperty(listener.port(), "");
        String host = environment.getProperty(listener.host(), "");
        String sentence = said.contains("Cannot assign requested address")
                ? "%s is not an address of this machine, so nothing can listen there for %s; choose another with --%s=…"
                        .formatted(host, listener.forWhat(), listener.host())
                : "port %s of %s, for %s, is in use by another process; end that one, or choose another with --%s=…"
                        .formatted(port, host, listener.forWhat(), listener.port());
        return new FailureAnalysis(sentence, null, failure);
    }
}
