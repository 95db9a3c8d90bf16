package io.alphaomega.benchmark.agent;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a command that may have agents make its load. */
public final class AgentOptions {
    @Option(
            names = "--agents",
            split = ",",
            paramLabel = "HOST[:PORT]",
            description = "Have these agents make the load together, each its share; without a port, port 8060.")
    private List<String> agents = List.of();

    @Mixin
    private TokenOptions token = new TokenOptions();

    /** Whoever makes the load; empty for this process. */
    public Optional<Agents> agents() {
        if (agents.isEmpty()) return Optional.empty();
        List<AgentAddress> endpoints = agents.stream()
                .map(agent -> AgentAddress.parse("--agents", agent.strip()))
                .toList();
        return Optional.of(new Agents(endpoints, token.token(), version(), Clock.systemUTC()));
    }

    static String version() {
        String version = AgentOptions.class.getPackage().getImplementationVersion();
        return version == null ? "not packaged" : version;
    }

    /** The token, given as it is or in a file. */
    static final class TokenOptions {
        @Option(
                names = "--token",
                paramLabel = "TOKEN",
                description = "What coordinator and agents know and nobody else; others on the machine can see it.")
        private @Nullable String token;

        @Option(names = "--token-file", paramLabel = "FILE", description = "A file that holds the token.")
        private @Nullable Path file;

        AgentToken token() {
            if (token != null && file != null) {
                throw new IllegalArgumentException("--token must not be given where --token-file is.");
            }
            if (token != null) return AgentToken.of(token);
            return file != null ? AgentToken.in(file) : AgentToken.NONE;
        }
    }
}
