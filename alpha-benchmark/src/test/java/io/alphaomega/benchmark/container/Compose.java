package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.yaml.snakeyaml.Yaml;

/** docker/compose.yaml, by services. */
record Compose(Map<String, Service> services) {
    static final Path DOCKER = Path.of("../docker").toAbsolutePath().normalize();

    /** One service, with what it has from the anchors; a key that it does not have is empty. */
    record Service(Map<String, Object> keys) {
        String text(String key) {
            return String.valueOf(keys.getOrDefault(key, ""));
        }

        List<String> list(String key) {
            return keys.getOrDefault(key, List.of()) instanceof List<?> list
                    ? list.stream().map(String::valueOf).toList()
                    : List.of();
        }

        /** The command that tells whether it is well. */
        List<String> healthCheck() {
            if (keys.get("healthcheck") instanceof Map<?, ?> check
                    && check.get("test") instanceof List<?> words
                    && "CMD".equals(words.getFirst()))
                return words.stream().skip(1).map(String::valueOf).toList();
            throw new IllegalStateException("This service has no health check of the form [CMD, program, …].");
        }

        /** Of keys and values, as texts. */
        Map<String, String> map(String key) {
            return keys.getOrDefault(key, Map.of()) instanceof Map<?, ?> map
                    ? map.entrySet().stream()
                            .collect(Collectors.toMap(
                                    each -> String.valueOf(each.getKey()), each -> String.valueOf(each.getValue())))
                    : Map.of();
        }
    }

    static Compose read() throws IOException {
        Map<String, Map<String, Map<String, Object>>> all =
                new Yaml().load(Files.readString(DOCKER.resolve("compose.yaml"), UTF_8));
        return new Compose(all.getOrDefault("services", Map.of()).entrySet().stream()
                .collect(Collectors.toMap(Map.Entry::getKey, each -> new Service(each.getValue()))));
    }

    Service service(String name) {
        Service service = services.get(name);
        if (service == null) throw new IllegalStateException("docker/compose.yaml has no service " + name + ".");
        return service;
    }
}
