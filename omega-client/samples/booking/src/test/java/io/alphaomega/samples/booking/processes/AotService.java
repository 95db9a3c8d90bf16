package io.alphaomega.samples.booking.processes;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.booking.processes.hooks.Child;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/**
 * One of the services, processed ahead of time: by the program that process-aot of spring-boot-maven-plugin runs, and
 * compiled. Three applications in one jar need three results, which is more than one of that goal's.
 */
final class AotService implements AutoCloseable {
    /** Which beans there are is decided when it is processed. */
    private static final String EXPOSED = "--management.endpoints.web.exposure.include=health,omega";

    final int port = ServerProcess.freePort();
    private final String name;
    private final String main;
    private final Path directory;
    private final Node processor;
    private final Node service;

    /** @param own arguments of the service */
    AotService(Stage stage, String name, List<String> own, HttpClient http) {
        this.name = name;
        main = "io.alphaomega.samples.booking." + name + "."
                + name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1) + "Application";
        directory = stage.directory.resolve("aot-" + name);
        URI ready = URI.create("http://127.0.0.1:" + port + "/actuator/health/readiness");
        processor = new Node(name + "'s processing", processing(), log("processing"), ready, http);
        List<String> command = java(directory.resolve("classes") + ":" + directory.resolve("resources") + ":" + jars());
        command.addAll(1, List.of("-Dspring.aot.enabled=true", "-XX:TieredStopAtLevel=1", "-Xmx256m"));
        command.addAll(List.of(Child.class.getName(), main, "--server.port=" + port, EXPOSED));
        command.addAll(List.of("--sample.data=" + stage.directory, "--omega.begin-timeout=30s"));
        command.addAll(own);
        service = new Node(name + " with AOT", command, log("service"), ready, http);
    }

    private Path log(String what) {
        return directory.resolveSibling("aot-" + name + "." + what + ".log");
    }

    private List<String> processing() {
        List<String> command = java(jars());
        command.addAll(List.of(
                Child.class.getName(),
                "org.springframework.boot.SpringApplicationAotProcessor",
                main,
                directory.resolve("sources").toString(),
                directory.resolve("resources").toString(),
                directory.resolve("classes").toString(),
                "io.alphaomega",
                "omega-sample-booking",
                EXPOSED));
        return command;
    }

    private static List<String> java(String classPath) {
        return new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--sun-misc-unsafe-memory-access=allow",
                "--enable-native-access=ALL-UNNAMED",
                "-XX:+UseSerialGC",
                "-cp",
                classPath));
    }

    private static String jars() {
        Path target = Stage.pathOf("booking.target");
        List<String> jars = new ArrayList<>(List.of(
                target.resolve("booking.jar").toString(),
                target.resolve("lib") + "/*",
                target.resolve("booking-hooks.jar").toString()));
        jars.addAll(springCloud());
        return String.join(File.pathSeparator, jars);
    }

    /** What a service has that finds alpha in a registry. */
    private static List<String> springCloud() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(each -> Path.of(each).getFileName().toString().startsWith("spring-cloud-"))
                .toList();
    }

    /** Begins to process it. */
    void process() {
        processor.launch();
    }

    /** Starts the service once it is processed. */
    void launch() {
        if (processor.awaitExit(Patience.LIMIT) != 0) {
            throw new IllegalStateException(name + " cannot be processed ahead of time:\n" + processor.tail());
        }
        compile();
        service.launch();
    }

    private void compile() {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8);
                var walked = Files.walk(directory.resolve("sources"));
                var libraries = Files.list(Stage.pathOf("booking.target").resolve("lib"))) {
            List<Path> sources =
                    walked.filter(each -> each.toString().endsWith(".java")).toList();
            List<Path> classPath = new ArrayList<>(libraries.toList());
            classPath.add(Stage.pathOf("booking.target").resolve("booking.jar"));
            classPath.add(directory.resolve("classes"));
            springCloud().forEach(each -> classPath.add(Path.of(each)));
            files.setLocationFromPaths(StandardLocation.CLASS_PATH, classPath);
            files.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(directory.resolve("classes")));
            boolean compiled = compiler.getTask(
                            null,
                            files,
                            null,
                            List.of("-parameters", "-nowarn"),
                            null,
                            files.getJavaFileObjectsFromPaths(sources))
                    .call();
            if (!compiled) throw new IllegalStateException("What " + name + " was processed to does not compile.");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void awaitReady() {
        service.awaitReady();
    }

    URI uri(String path) {
        return URI.create("http://127.0.0.1:" + port + path);
    }

    /** All that the service has logged. */
    String log() throws IOException {
        return Files.readString(log("service"));
    }

    @Override
    public void close() {
        processor.close();
        service.close();
    }
}
