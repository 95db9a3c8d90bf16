package io.alphaomega.server.changes;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.springframework.http.HttpHeaders;
import tools.jackson.databind.json.JsonMapper;

/**
 * Events for one reader, written as HTML's standard says of {@code text/event-stream}, each at once. Whoever does not
 * read holds up the thread that writes to it alone, until Tomcat gives it up ({@code server.tomcat.connection-timeout}):
 * nothing is kept for later.
 */
final class EventStream {
    /** Proxies commonly give up a connection that has been silent for half a minute or more. */
    static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private final OutputStream out;
    private final JsonMapper json;
    private long written;

    EventStream(HttpServletResponse response, JsonMapper json) throws IOException {
        response.setContentType("text/event-stream;charset=UTF-8");
        response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
        // Nginx would keep events until it has some kilobytes.
        response.setHeader("X-Accel-Buffering", "no");
        this.out = response.getOutputStream();
        this.json = json;
    }

    void send(String event, Object data) throws IOException {
        write("event: %s\ndata: %s\n\n".formatted(event, json.writeValueAsString(data)));
    }

    /** @param id what a reader that connects again names as the last that it has seen */
    void send(String event, long id, Object data) throws IOException {
        write("id: %d\nevent: %s\ndata: %s\n\n".formatted(id, event, json.writeValueAsString(data)));
    }

    /** A comment, if nothing was written for a while. */
    void beat() throws IOException {
        if (System.nanoTime() - written >= HEARTBEAT.toNanos()) write(": nothing new\n\n");
    }

    private void write(String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
        written = System.nanoTime();
    }
}
