package io.alphaomega.samples.booking.processes;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.booking.processes.hooks.Child;
import io.alphaomega.samples.booking.processes.hooks.Halt;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.aspectj.lang.annotation.Aspect;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.MissingNode;

/**
 * One whole installation: alpha on the embedded store, or on one of a test's own, and the three services, each a process, with databases and logs
 * in a directory of its own. They are the jars that users get, plus the {@code hooks}.
 */
final class Stage implements AutoCloseable {
    /** So many that no test sells out by accident. */
    static final int FLEET = 1_000_000;

    static final int ROOMS = 1_000_000;

    /** A saga that nobody ends is aborted after this; short, so that tests need not wait, long enough for a restart. */
    static final Duration SAGA_TIMEOUT = Duration.ofSeconds(8);

    /** A call that died with its service is taken for overdue after this, and compensated. */
    static final Duration BRANCH_TIMEOUT = Duration.ofSeconds(4);

    /** Of what may take too long on a busy machine. */
    static final int TRIES = 5;

    private static final String HOOKS = "io.alphaomega.samples.booking.processes.hooks.";
    private static final String HEAP = "-Xmx256m";
    private static final JsonMapper JSON = JsonMapper.shared();

    final Path directory;
    final Node alpha;
    final Node booking;
    final Node car;
    final Node hotel;
    final AlphaApi api;
    final String grpc;
    final int hotelPort;
    private final URI trips;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    /** With the embedded store, in a fresh directory of that name. */
    Stage(String name) {
        this(name, List.of());
    }

    /** @param repository what says where alpha's sagas live; nothing for the embedded store */
    Stage(String name, List<String> repository) {
        directory = pathOf("processes.directory").resolve(name);
        emptyDirectory(directory);
        List<Integer> ports =
                IntStream.generate(ServerProcess::freePort).limit(6).boxed().toList();
        int alphaHttp = ports.get(1);
        hotelPort = ports.get(5);
        grpc = "127.0.0.1:" + ports.get(0);
        api = new AlphaApi(URI.create("http://127.0.0.1:" + alphaHttp), http);
        trips = URI.create("http://127.0.0.1:" + ports.get(3) + "/trips");
        alpha = node(
                "alpha",
                alphaHttp,
                alphaJvm(),
                Stream.concat(
                                Stream.of(
                                        "--spring.main.sources=" + HOOKS + "HaltingAlpha",
                                        "--alpha.grpc.port=" + ports.get(0),
                                        "--alpha.cluster.port=" + ports.get(2),
                                        "--alpha.repository.embedded.directory=" + directory.resolve("alpha"),
                                        "--alpha.saga.callback-first-delay=100ms",
                                        "--alpha.saga.branch-timeout=" + BRANCH_TIMEOUT.toSeconds() + "s",
                                        "--alpha.saga.start-grace=1s"),
                                repository.stream())
                        .toList());
        booking = service(
                "booking",
                "BookingApplication",
                ports.get(3),
                List.of(
                        "--booking.car=http://127.0.0.1:" + ports.get(4),
                        "--booking.hotel=http://127.0.0.1:" + hotelPort,
                        "--booking.alpha=http://127.0.0.1:" + alphaHttp));
        car = service("car", "CarApplication", ports.get(4), List.of("--car.fleet=" + FLEET));
        hotel = service("hotel", "HotelApplication", hotelPort, List.of("--hotel.rooms=" + ROOMS));
    }

    /** Everything, serving. */
    Stage start() {
        recover();
        return this;
    }

    /** Starts again what a test has killed or stopped, and forgets orders that nobody took. */
    void recover() {
        for (String process : List.of("alpha", "booking", "car", "hotel")) withdrawOrder(process);
        List<Node> dead = nodes().stream().filter(node -> !node.isAlive()).toList();
        dead.forEach(Node::launch);
        dead.forEach(Node::awaitReady);
    }

    /** Trips until one is booked: a process is slow at first, and on a busy machine a branch may be overdue by that alone. */
    void warmUp() {
        await("a trip is booked").until(() -> book("first", 1, 1).status() == 200);
        var unused = api.awaitAllOver();
    }

    Node node(String name) {
        return switch (name) {
            case "alpha" -> alpha;
            case "booking" -> booking;
            case "car" -> car;
            case "hotel" -> hotel;
            default -> throw new IllegalArgumentException("There is no " + name + ".");
        };
    }

    private List<Node> nodes() {
        return List.of(alpha, booking, car, hotel);
    }

    /** Orders a trip and waits for the answer, whatever happens meanwhile. */
    Answer book(String name, int cars, int rooms) {
        return ordering(name, cars, rooms).join();
    }

    /** As {@link #book}, but again if it took so long that a branch may have been overdue by that alone, on a busy machine. */
    Answer bookInTime(String name, int cars, int rooms) {
        for (int tries = 0; tries < TRIES; tries++) {
            long ordered = System.nanoTime();
            Answer answer = book(name, cars, rooms);
            if (isInTime(ordered)) return answer;
        }
        throw new AssertionError("No trip was booked within %s, %d times.".formatted(BRANCH_TIMEOUT, TRIES));
    }

    /** Whether no branch of a trip that was ordered then is overdue. */
    static boolean isInTime(long nanos) {
        return System.nanoTime() - nanos < BRANCH_TIMEOUT.toNanos();
    }

    /** Orders a trip. */
    CompletableFuture<Answer> ordering(String name, int cars, int rooms) {
        String order = JSON.writeValueAsString(Map.of("name", name, "cars", cars, "rooms", rooms));
        HttpRequest request = HttpRequest.newBuilder(trips)
                .timeout(Patience.LIMIT)
                .header("Content-Type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(order))
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .handle((response, failed) ->
                        response == null ? new Answer(0, MissingNode.getInstance()) : answer(response));
    }

    /** How a saga is decided, as the booking service says when it has asked alpha. */
    Answer outcome(String saga) {
        HttpRequest request = HttpRequest.newBuilder(URI.create(trips + "/" + saga + "/outcome"))
                .timeout(Patience.LIMIT)
                .build();
        return http.sendAsync(request, HttpResponse.BodyHandlers.ofString())
                .thenApply(Stage::answer)
                .join();
    }

    private static Answer answer(HttpResponse<String> response) {
        JsonNode body = response.body().isEmpty() ? MissingNode.getInstance() : JSON.readTree(response.body());
        return new Answer(response.statusCode(), body);
    }

    /** The hotel refuses this many rooms. */
    static int tooManyRooms() {
        return ROOMS + 1;
    }

    /** Alpha halts {@code before} or {@code after} the n-th append to the saga that begins next. */
    void orderAlphaToHalt(String point, int append) {
        String now = HexFormat.of().toHexDigits(Clock.systemUTC().millis(), 12);
        order("alpha", "append:%s:%d:%s-%s".formatted(point, append, now.substring(0, 8), now.substring(8)));
    }

    /** A service halts when that method runs next; the points are in {@code HaltingDesk}. */
    void orderToHalt(String service, String method, String point) {
        order(service, method + ":" + point);
    }

    /** Whether the last order to that process was taken. */
    boolean orderTaken(String process) {
        return !Files.exists(haltFile(process));
    }

    void withdrawOrder(String process) {
        try {
            Files.deleteIfExists(haltFile(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void order(String process, String text) {
        try {
            Path draft = directory.resolve(process + ".draft");
            Files.writeString(draft, text);
            Files.move(draft, haltFile(process));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path haltFile(String process) {
        return directory.resolve(process + ".halt");
    }

    Path database(String service) {
        return directory.resolve(service + ".db");
    }

    private Node service(String name, String main, int port, List<String> own) {
        List<String> arguments = new ArrayList<>(List.of(
                "--spring.main.sources=" + HOOKS + "HaltingDesk",
                "--sample.data=" + directory,
                "--omega.alpha.addresses=" + grpc,
                "--omega.hold-for=10m", // So a saga has as many appends on a busy machine as on any other.
                "--omega.saga.timeout=" + SAGA_TIMEOUT.toSeconds() + "s",
                "--omega.alpha.reconnect-delay-max=500ms"));
        arguments.addAll(own);
        return node(name, port, serviceJvm(name, "io.alphaomega.samples.booking." + name + "." + main), arguments);
    }

    private Node node(String name, int port, List<String> jvm, List<String> own) {
        List<String> command = new ArrayList<>(jvm);
        command.add("--server.port=" + port);
        command.addAll(own);
        URI ready = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
        return new Node(name, command, directory.resolve(name + ".log"), ready, http);
    }

    private List<String> alphaJvm() {
        return AlphaCommand.behind(
                Child.class.getName(),
                hooks(),
                pathOf("alpha.target").resolve("alpha-server.jar"),
                HEAP,
                halts("alpha"));
    }

    private List<String> serviceJvm(String name, String main) {
        Path target = pathOf("booking.target");
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                HEAP,
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xlog:cds=off",
                "-XX:+AutoCreateSharedArchive",
                "-XX:SharedArchiveFile=" + archive(name),
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                halts(name),
                "-cp",
                target.resolve("booking.jar") + ":" + target.resolve("lib") + "/*:" + hooks() + ":" + aspects(),
                Child.class.getName(),
                main);
    }

    private static Path hooks() {
        return pathOf("booking.target").resolve("booking-hooks.jar");
    }

    /** What hooks in services are written with; services themselves have none of it. */
    private static Path aspects() {
        return Path.of(URI.create(
                Aspect.class.getProtectionDomain().getCodeSource().getLocation().toString()));
    }

    private String halts(String name) {
        return "-D" + Halt.PROPERTY + "=" + haltFile(name);
    }

    /** Loaded classes of a service, written when one ends in order: the next starts in two thirds of the time. */
    private static Path archive(String name) {
        return pathOf("processes.directory").resolve(name + ".jsa");
    }

    static Path pathOf(String property) {
        String path = System.getProperty(property);
        if (path == null) {
            throw new IllegalStateException("The tests of processes run by Maven, which says by " + property
                    + " where that is: scripts/test, or mvn verify.");
        }
        return Path.of(path).toAbsolutePath().normalize();
    }

    private static void emptyDirectory(Path directory) {
        try {
            if (Files.exists(directory)) {
                try (var files = Files.walk(directory)) {
                    for (Path path : files.sorted((a, b) -> b.compareTo(a)).toList()) Files.delete(path);
                }
            }
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        for (Node node : nodes()) node.close();
        http.close();
    }
}
