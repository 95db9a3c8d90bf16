package io.alphaomega.omega.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.config.YamlPropertiesFactoryBean;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.core.io.ClassPathResource;

/** What the pages set of alpha and omega, in a file or on a command line, is a property that there is. */
class SettingsTest {
    private static final Path ROOT = Path.of("../..");
    private static final Pattern FILE = Pattern.compile("```(yaml|properties)\\n(.*?)```", Pattern.DOTALL);
    private static final Pattern ARGUMENT = Pattern.compile("--([\\w.-]+)=");
    private static final Pattern OURS = Pattern.compile("(alpha|omega)\\..*");

    /** A row of docs/configuration.md, which another test makes of alpha's metadata. */
    private static final Pattern ROW = Pattern.compile("^\\| `([^`]+)` ", Pattern.MULTILINE);

    @Test
    void every_property_that_a_page_sets_exists() throws IOException {
        List<Pattern> known = new ArrayList<>(ofOmega());
        ROW.matcher(Files.readString(ROOT.resolve("docs/configuration.md")))
                .results()
                .forEach(row -> known.add(Pattern.compile(Pattern.quote(row.group(1)))));
        List<String> set = new ArrayList<>();
        for (Path page : pages()) {
            String text = Files.readString(page);
            FILE.matcher(text).results().map(SettingsTest::names).forEach(set::addAll);
            ARGUMENT.matcher(text).results().forEach(argument -> set.add(argument.group(1)));
        }
        set.removeIf(name -> !OURS.matcher(name).matches());

        assertThat(set)
                .hasSizeGreaterThan(20)
                .allSatisfy(name ->
                        assertThat(known).anyMatch(each -> each.matcher(name).matches()));
    }

    /** Of a map, with any key. */
    private static List<Pattern> ofOmega() throws IOException {
        String metadata = new ClassPathResource("META-INF/spring-configuration-metadata.json")
                .getContentAsString(StandardCharsets.UTF_8);
        List<?> properties = (List<?>) Objects.requireNonNull(
                JsonParserFactory.getJsonParser().parseMap(metadata).get("properties"));
        return properties.stream()
                .map(property -> (Map<?, ?>) property)
                .map(property -> Pattern.compile(Pattern.quote(String.valueOf(property.get("name")))
                        + (String.valueOf(property.get("type")).startsWith("java.util.Map<") ? "\\..+" : "")))
                .toList();
    }

    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(ROOT.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(ROOT.resolve("README.md")),
                            files.filter(file -> file.toString().endsWith(".md")))
                    .toList();
        }
    }

    private static List<String> names(MatchResult file) {
        Properties properties = new Properties();
        if (file.group(1).equals("yaml")) {
            YamlPropertiesFactoryBean yaml = new YamlPropertiesFactoryBean();
            yaml.setResources(new ByteArrayResource(file.group(2).getBytes(StandardCharsets.UTF_8)));
            properties = Objects.requireNonNull(yaml.getObject());
        } else {
            try {
                properties.load(new StringReader(file.group(2)));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        }
        return List.copyOf(properties.stringPropertyNames());
    }
}
