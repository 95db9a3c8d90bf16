package io.alphaomega.samples.bank.planted;

import io.alphaomega.samples.bank.checker.History.BranchView;
import io.alphaomega.samples.bank.checker.History.Event;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.History.SagaView;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What alpha's API says of sagas, as a witness. */
final class AlphaPages {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int PAGE = 200;

    /** Where nothing happens by itself any more. */
    private static final Set<String> AT_REST = Set.of("COMMITTED", "COMPENSATED", "SUSPENDED");

    /** Alpha's sentences about callbacks name the kind, and the attempt where there was one. */
    private static final Pattern CALLBACK = Pattern.compile("its (compensation|confirmation)(?:, attempt (\\d+))?");

    private final URI base;
    private final HttpClient http;

    AlphaPages(URI base, HttpClient http) {
        this.base = base;
        this.http = http;
    }

    List<Listed> list() {
        List<Listed> sagas = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = get("/api/v1/sagas?limit=" + PAGE + (cursor.isEmpty() ? "" : "&cursor=" + cursor))
                    .orElseThrow();
            for (JsonNode saga : page.path("sagas")) {
                sagas.add(new Listed(
                        saga.path("id").asString(), saga.path("state").asString()));
            }
            cursor = page.path("next").asString("");
        } while (!cursor.isEmpty());
        return sagas;
    }

    boolean areAllAtRest() {
        return list().stream().allMatch(saga -> AT_REST.contains(saga.state()));
    }

    List<SagaView> sagas(List<Listed> listed) {
        return listed.stream()
                .flatMap(saga -> get("/api/v1/sagas/" + saga.id()).stream())
                .map(AlphaPages::view)
                .toList();
    }

    private static SagaView view(JsonNode saga) {
        List<BranchView> branches = new ArrayList<>();
        for (JsonNode branch : saga.path("branches")) {
            branches.add(new BranchView(
                    branch.path("id").asString(),
                    branch.path("service").asString(),
                    text(branch.path("compensation")) != null,
                    text(branch.path("confirmation")) != null,
                    branch.path("forward").path("state").asString(),
                    branch.path("callback").path("state").asString()));
        }
        List<Event> history = new ArrayList<>();
        for (JsonNode event : saga.path("history")) history.add(event(event));
        return new SagaView(
                saga.path("id").asString(),
                saga.path("state").asString(),
                saga.path("sequence").asLong(),
                instant(saga.path("deadline")),
                text(saga.path("abort").path("cause")),
                text(saga.path("suspension").path("reason")),
                branches,
                history);
    }

    private static Event event(JsonNode event) {
        String text = event.path("text").asString("");
        String type = Event.typeOf(event.path("type").asString(), text);
        Matcher callback = CALLBACK.matcher(text);
        boolean found = type.startsWith("callback.") && callback.find();
        String attempt = found ? callback.group(2) : null;
        return new Event(
                event.path("sequence").asLong(),
                instant(event.path("at")),
                type,
                text(event.path("branch")),
                found ? Kind.valueOf(callback.group(1).toUpperCase(Locale.ROOT)) : null,
                attempt == null ? 0 : Integer.parseInt(attempt));
    }

    private static @Nullable String text(JsonNode node) {
        return node.isMissingNode() || node.isNull() ? null : node.asString();
    }

    private static @Nullable Instant instant(JsonNode node) {
        String text = text(node);
        return text == null ? null : Instant.parse(text);
    }

    /** Empty if there is no such page. */
    private Optional<JsonNode> get(String path) {
        try {
            HttpResponse<String> response = http.send(
                    HttpRequest.newBuilder(base.resolve(path)).timeout(TIMEOUT).build(),
                    HttpResponse.BodyHandlers.ofString());
            return response.statusCode() == 200 ? Optional.of(JSON.readTree(response.body())) : Optional.empty();
        } catch (IOException e) {
            throw new UncheckedIOException("Alpha does not answer " + path + ".", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while alpha was asked for " + path + ".", e);
        }
    }
}
