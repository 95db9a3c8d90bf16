package io.alphaomega.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Patience;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A real alpha in a process of its own, on free ports, from the jar that the build has made. */
public final class AlphaProcess implements AutoCloseable {
    /** It takes 3 to 5 s; two at once, on a slow machine that is busy with other tests, have taken a minute. */
    public static final Duration READY_WITHIN = Duration.ofMinutes(2);

    private static final Path JAR = Path.of("target", "alpha-server.jar");

    private static final Pattern READY =
            Pattern.compile("^alpha ready: grpc (\\S+), http (\\S+), repository (.+)$", Pattern.MULTILINE);

    private final Process process;
    private final Path out;
    private final Path err;

    private AlphaProcess(Process process, Path out, Path err) {
        this.process = process;
        this.out = out;
        this.err = err;
    }

    /** Starts alpha with its data and its output under {@code directory}; {@code arguments} win over the free ports. */
    public static AlphaProcess start(Path directory, String... arguments) {
        return start(directory, Map.of(), arguments);
    }

    public static AlphaProcess start(Path directory, Map<String, String> environment, String... arguments) {
        try {
            Path out = Files.createTempFile(directory, "alpha-", ".out");
            return start(directory, environment, out, ProcessBuilder.Redirect.to(out.toFile()), arguments);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts alpha with a pipe for its output that nobody reads. */
    public static AlphaProcess startUnread(Path directory, String... arguments) {
        return start(directory, Map.of(), directory.resolve("unread"), ProcessBuilder.Redirect.PIPE, arguments);
    }

    private static AlphaProcess start(
            Path directory,
            Map<String, String> environment,
            Path out,
            ProcessBuilder.Redirect output,
            String... arguments) {
        List<String> command = new ArrayList<>(AlphaCommand.of(JAR));
        command.addAll(options(directory, arguments));
        try {
            Path err = Files.createTempFile(directory, "alpha-", ".err");
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectOutput(output)
                    .redirectError(err.toFile());
            builder.environment().putAll(environment);
            return new AlphaProcess(builder.start(), out, err);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An option that comes twice would be a list to Spring. */
    private static List<String> options(Path directory, String... arguments) {
        Map<String, String> options = new LinkedHashMap<>();
        options.put(
                "--alpha.repository.embedded.directory",
                directory.resolve("data").toString());
        options.put("--server.port", "0");
        options.put("--alpha.grpc.port", "0");
        options.put("--alpha.cluster.port", "0");
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            options.put(argument.substring(0, equals), argument.substring(equals + 1));
        }
        return options.entrySet().stream()
                .map(option -> option.getKey() + "=" + option.getValue())
                .toList();
    }

    /** Waits for the ready line; fails with all that alpha said if it ends instead. */
    public AlphaProcess awaitReady() {
        await().atMost(READY_WITHIN)
                .pollInterval(Duration.ofMillis(50))
                .failFast("alpha ended: " + out + " and " + err, () -> !process.isAlive())
                .until(() -> READY.matcher(out()).find());
        return this;
    }

    public String grpcAddress() {
        return ready().group(1);
    }

    public String httpAddress() {
        return ready().group(2);
    }

    private Matcher ready() {
        Matcher ready = READY.matcher(out());
        assertThat(ready.find()).as("a ready line in " + out).isTrue();
        return ready;
    }

    public HttpResponse<String> get(String path) {
        return get(path, "*/*");
    }

    public HttpResponse<String> get(String path, String accept) {
        return getWith(path, "Accept", accept);
    }

    /** With one header. */
    public HttpResponse<String> getWith(String path, String header, String value) {
        return exchange(request(path).header(header, value));
    }

    /** A stream that goes on. */
    public InputStream open(String path) {
        return exchange(HttpClient.newHttpClient(), request(path), HttpResponse.BodyHandlers.ofInputStream())
                .body();
    }

    /** Sends JSON, in the name of an operator. */
    public HttpResponse<String> post(String path, String operator, String json) {
        return exchange(request(path)
                .header("X-Operator", operator)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(json)));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://" + httpAddress() + path));
    }

    private static HttpResponse<String> exchange(HttpRequest.Builder request) {
        try (HttpClient client = HttpClient.newHttpClient()) {
            return exchange(client, request, HttpResponse.BodyHandlers.ofString());
        }
    }

    private static <T> HttpResponse<T> exchange(
            HttpClient client, HttpRequest.Builder request, HttpResponse.BodyHandler<T> body) {
        try {
            return client.send(request.build(), body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** What it has printed so far. */
    public String out() {
        return read(out);
    }

    public String err() {
        return read(err);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file, UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** How many bytes wait in its pipe. */
    public int unread() {
        try {
            return process.getInputStream().available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGTERM. */
    public AlphaProcess terminate() {
        process.destroy();
        return this;
    }

    /** SIGKILL. */
    public AlphaProcess kill() {
        process.destroyForcibly();
        return this;
    }

    /** Waits for the end. */
    public int exitCode(Duration within) {
        try {
            assertThat(process.waitFor(within.toMillis(), TimeUnit.MILLISECONDS))
                    .as("alpha ended within %s", within)
                    .isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
        return process.exitValue();
    }

    public long pid() {
        return process.pid();
    }

    @Override
    public void close() {
        kill().exitCode(Patience.LIMIT);
    }
}
