package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.yaml.snakeyaml.Yaml;

/** What docker/Dockerfile says of one image: the instructions of its stage, behind those of the stages it stands on. */
record Dockerfile(List<Instruction> instructions) {
    /**
     * One instruction.
     *
     * @param name in capitals
     * @param rest all behind the name, in one line
     */
    record Instruction(String name, String rest) {
        static Instruction of(String line) {
            String[] parts = line.strip().split("\\s+", 2);
            return new Instruction(parts[0], parts.length > 1 ? parts[1].strip() : "");
        }

        /** Words in JSON's form, of which YAML's is a superset. */
        List<String> words() {
            if (!rest.startsWith("["))
                throw new IllegalStateException(
                        "%s is not in the form [\"program\", …], so a shell would stand between: %s"
                                .formatted(name, rest));
            List<String> words = new Yaml().load(rest);
            return words;
        }
    }

    static Dockerfile read(Path file, String target) throws IOException {
        Map<String, List<Instruction>> stages = new HashMap<>();
        List<Instruction> stage = new ArrayList<>();
        for (String line : lines(file)) {
            Instruction next = Instruction.of(line);
            if (!next.name().equals("FROM")) {
                stage.add(next);
                continue;
            }
            String[] from = next.rest().split("\\s+", -1);
            stage = new ArrayList<>(stages.getOrDefault(from[0], List.of()));
            stages.put(from[2], stage);
        }
        return new Dockerfile(List.copyOf(stages.getOrDefault(target, List.of())));
    }

    /** Without comments, each instruction in one line. */
    private static List<String> lines(Path file) throws IOException {
        String text = Stream.of(Files.readString(file, UTF_8).split("\n", -1))
                .filter(line -> !line.startsWith("#"))
                .collect(Collectors.joining("\n"));
        return Stream.of(text.replace("\\\n", " ").split("\n", -1))
                .filter(line -> !line.isBlank())
                .toList();
    }

    List<Instruction> all(String name) {
        return instructions.stream().filter(each -> each.name().equals(name)).toList();
    }

    /** The one that counts: a later one stands in for those before it. */
    Instruction last(String name) {
        Optional<Instruction> last = all(name).stream().reduce((one, two) -> two);
        return last.orElseThrow(() -> new IllegalStateException("There is no %s in %s.".formatted(name, this)));
    }

    Map<String, String> environment() {
        Map<String, String> environment = new HashMap<>();
        for (Instruction each : all("ENV")) {
            for (String one : each.rest().split("\\s+", -1)) {
                String[] parts = one.split("=", 2);
                environment.put(parts[0], parts[1]);
            }
        }
        return environment;
    }

    List<String> healthCheck() {
        return Instruction.of(last("HEALTHCHECK").rest().replaceFirst("^.* CMD ", "CMD "))
                .words();
    }
}
