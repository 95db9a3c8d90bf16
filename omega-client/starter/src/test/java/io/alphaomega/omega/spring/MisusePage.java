package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.spring.autoconfigure.OmegaConfigurationFailureAnalyzer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/**
 * The pages of docs/misuse. An entry begins with its anchor; what is quoted there is what omega says, a paragraph for each
 * sentence, and an ellipsis stands for what differs from call to call.
 */
public final class MisusePage {
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([a-z-]+)\"></a>");

    private final Map<String, List<String>> quotes = new LinkedHashMap<>();
    private final List<String> code = new ArrayList<>();

    private MisusePage(List<String> lines) {
        List<String> quoted = new ArrayList<>();
        boolean inCode = false;
        for (String line : lines) {
            if (line.startsWith("```")) {
                inCode = line.equals("```java");
            } else if (inCode) {
                code.add(line.replaceAll("//.*", "").trim());
            } else if (line.startsWith("> ")) {
                quoted.add(line.substring(2));
            } else {
                Matcher anchor = ANCHOR.matcher(line);
                if (!anchor.matches()) continue;
                quoted = new ArrayList<>();
                quotes.put(anchor.group(1), quoted);
            }
        }
    }

    public static MisusePage read() {
        List<String> lines = new ArrayList<>();
        try (Stream<Path> pages = Files.list(Path.of("../../docs/misuse"))) {
            for (Path page : pages.sorted().toList()) lines.addAll(Files.readAllLines(page));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new MisusePage(lines);
    }

    Set<String> names() {
        return quotes.keySet();
    }

    /** Each of these is what the page quotes, in this order; a single quote may be said of several. */
    public void assertSays(String name, List<String> said) {
        List<String> quoted = quotes.getOrDefault(name, List.of());
        assertThat(quoted).as("the entry " + name + " of docs/misuse").isNotEmpty();
        assertThat(said).as("what omega says").isNotEmpty();
        if (quoted.size() > 1) assertThat(said).as("what omega says").hasSameSizeAs(quoted);
        for (int i = 0; i < said.size(); i++) {
            String pattern = pattern(quoted.get(Math.min(i, quoted.size() - 1)), ".+");
            assertThat(asThePageNames(said.get(i))).matches(pattern);
        }
    }

    /** The classes of the tests are nested; those of services are not. */
    private static String asThePageNames(String said) {
        return said.replaceAll("io\\.alphaomega\\.omega\\.\\w+\\.(Misused|\\w+Test)\\$", "com.example.")
                .replaceAll("\\b(Misused|\\w+Test)\\.", "");
    }

    /** What Boot prints of a service that does not start: the description and the action. */
    public static List<String> refusal(ApplicationContextRunner service) {
        List<String> said = new ArrayList<>();
        service.run(context -> {
            Throwable failure = context.getStartupFailure();
            assertThat(failure).as("the start-up's failure").isNotNull();
            FailureAnalysis analysis = Objects.requireNonNull(
                    new OmegaConfigurationFailureAnalyzer().analyze(Objects.requireNonNull(failure)));
            said.add(analysis.getDescription());
            said.add(Objects.requireNonNull(analysis.getAction()));
        });
        return said;
    }

    void assertCodeIsIn(Path... sources) throws IOException {
        StringBuilder all = new StringBuilder();
        for (Path each : sources) all.append(Files.readString(each));
        String text = withoutBlanks(all.toString());
        for (String line : code) {
            if (!line.isEmpty()) assertThat(text).containsPattern(pattern(withoutBlanks(line), ".{0,200}?"));
        }
    }

    private static String withoutBlanks(String text) {
        return text.replaceAll("\\s+", "");
    }

    private static String pattern(String text, String wild) {
        return Arrays.stream(text.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(wild));
    }
}
