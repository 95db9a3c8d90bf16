package io.alphaomega.benchmark.container;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.Installed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** docker/compose.yaml: that it is one, and what each of its services keeps to. */
final class ComposeTest {
    private static final Pattern SCRAPED =
            Pattern.compile("targets: \\[\"(alpha-\\d):8090\"], labels: \\{instance: \"localhost:(\\d+)\"}");

    private static Compose compose;

    @BeforeAll
    static void read() throws IOException {
        compose = Compose.read();
    }

    @Test
    void its_program_takes_it() throws IOException {
        Command program = Command.of(Installed.dockerCompose());
        for (Compose.Service service : compose.services().values()) {
            for (String profile : service.list("profiles")) program = program.with("--profile", profile);
        }
        assertThat(program.with("config", "--services").run(Compose.DOCKER).lines())
                .containsExactlyInAnyOrderElementsOf(compose.services().keySet());
    }

    @Test
    void without_a_profile_there_is_one_alpha() throws IOException {
        assertThat(Files.readString(Compose.DOCKER.resolve(".env"), UTF_8)).contains("COMPOSE_PROFILES=embedded\n");
        assertThat(compose.services().entrySet().stream()
                        .filter(each -> each.getValue().list("profiles").contains("embedded"))
                        .map(Map.Entry::getKey))
                .containsExactly("alpha");
        assertThat(compose.services().values())
                .as("one without a profile would be started with each")
                .allMatch(service -> !service.list("profiles").isEmpty());
    }

    @Test
    void nothing_is_published_beyond_this_machine() {
        compose.services()
                .forEach((name, service) ->
                        assertThat(service.list("ports")).as(name).allMatch(port -> port.startsWith("127.0.0.1:")));
    }

    @Test
    void each_container_may_do_little_and_take_so_much_memory() {
        compose.services().forEach((name, service) -> {
            assertThat(service.list("cap_drop")).as(name).containsExactly("ALL");
            assertThat(service.list("security_opt")).as(name).containsExactly("no-new-privileges:true");
            assertThat(service.text("mem_limit")).as(name).matches("\\d+[mg]");
            // Elasticsearch writes where its image has put it.
            assertThat(service.text("read_only")).as(name).isEqualTo(String.valueOf(!name.equals("elasticsearch")));
        });
    }

    @Test
    void each_that_others_wait_for_says_when_it_is_well() {
        compose.services().values().stream()
                .flatMap(service -> service.map("depends_on").entrySet().stream())
                .filter(each -> each.getValue().contains("service_healthy"))
                .map(Map.Entry::getKey)
                .distinct()
                .forEach(name ->
                        assertThat(compose.service(name).keys()).as(name).containsKey("healthcheck"));
    }

    @Test
    void each_alpha_is_told_only_what_alpha_knows() throws IOException {
        String documented = Files.readString(Path.of("../docs/configuration.md"), UTF_8);
        List<Compose.Service> alphas = compose.services().values().stream()
                .filter(service -> service.text("image").equals("alpha"))
                .toList();
        assertThat(alphas).hasSize(8);
        assertThat(alphas)
                .flatExtracting(service -> service.map("environment").keySet())
                .allMatch(variable -> documented.contains("`" + variable + "`"));
    }

    @Test
    void the_label_of_each_alpha_in_prometheus_is_where_people_reach_it() throws IOException {
        List<MatchResult> scraped = SCRAPED.matcher(
                        Files.readString(Compose.DOCKER.resolve("prometheus/prometheus.yml"), UTF_8))
                .results()
                .toList();
        assertThat(scraped).hasSize(3);
        for (MatchResult each : scraped) {
            assertThat(compose.service(each.group(1)).list("ports"))
                    .containsExactly("127.0.0.1:%s:8090".formatted(each.group(2)));
        }
    }

    @Test
    void elasticsearch_is_one_that_alpha_is_tested_on() throws IOException {
        String version = compose.service("elasticsearch").text("image").replaceFirst(".*:", "");
        assertThat(Files.readString(Path.of("../scripts/lib/servers.sh"), UTF_8))
                .containsPattern("ELASTICSEARCH='.*\\b" + Pattern.quote(version) + "'");
    }
}
