package io.alphaomega.omega.test;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;

/** There is no network between a service under test and its alpha. */
class NoSocketTest {
    @OmegaTest
    @Import(Travel.class)
    static class Application {}

    @Test
    void a_saga_opens_no_socket() throws IOException {
        Set<String> before = sockets();
        try (ConfigurableApplicationContext application = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .run()) {
            application.getBean(Trips.class).book("Ada");
            assertThat(application.getBean(TestAlpha.class).saga()).committed();
            assertThat(openedSince(before)).isEmpty();
        }
    }

    @Test
    void a_socket_would_be_seen() throws IOException {
        Set<String> before = sockets();
        try (ServerSocket socket = new ServerSocket(0)) {
            assertThat(socket.isBound()).isTrue();
            assertThat(openedSince(before)).isNotEmpty();
        }
    }

    private static Set<String> openedSince(Set<String> before) throws IOException {
        Set<String> opened = sockets();
        opened.removeAll(before);
        return opened;
    }

    /** Those of this process. */
    private static Set<String> sockets() throws IOException {
        Set<String> sockets = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            for (Path file : files.toList()) {
                try {
                    String target = Files.readSymbolicLink(file).toString();
                    if (target.startsWith("socket:")) sockets.add(target);
                } catch (IOException closedMeanwhile) {
                    // Such as the directory's own.
                }
            }
        }
        return sockets;
    }
}
