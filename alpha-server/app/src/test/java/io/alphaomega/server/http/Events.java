package io.alphaomega.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Reads a stream of events. */
public final class Events implements AutoCloseable {
    private final BufferedReader lines;

    public Events(InputStream stream) {
        lines = new BufferedReader(new InputStreamReader(stream, UTF_8));
    }

    /**
     * What was told.
     *
     * @param id empty if it has none
     */
    public record Event(String id, String name, String data) {
        JsonNode json() {
            return JsonMapper.shared().readTree(data);
        }
    }

    /** The next, for which this waits; empty at the end. Comments are passed over. */
    public Optional<Event> next() {
        String id = "";
        String name = "";
        String data = "";
        try {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.isEmpty() && !name.isEmpty()) return Optional.of(new Event(id, name, data));
                if (line.startsWith("id: ")) id = line.substring(4);
                if (line.startsWith("event: ")) name = line.substring(7);
                if (line.startsWith("data: ")) data = line.substring(6);
            }
            return Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            lines.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
