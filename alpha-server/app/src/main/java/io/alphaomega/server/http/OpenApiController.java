package io.alphaomega.server.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import org.springframework.http.MediaType;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import tools.jackson.databind.json.JsonMapper;

/** What this API is, for programs: {@code docs/openapi.yaml}, as it was when this alpha was built. */
@RestController
@RequestMapping("/api/v1")
class OpenApiController {
    private static final String YAML = "application/yaml";

    private final SingletonSupplier<byte[]> yaml = SingletonSupplier.of(OpenApiController::read);
    private final SingletonSupplier<byte[]> json;

    OpenApiController(JsonMapper mapper) {
        this.json = SingletonSupplier.of(() -> mapper.writeValueAsBytes(
                new Yaml(new SafeConstructor(new LoaderOptions())).load(new String(yaml.obtain(), UTF_8))));
    }

    /** This document. */
    @GetMapping(path = "/openapi.json", produces = MediaType.APPLICATION_JSON_VALUE)
    byte[] json() {
        return json.obtain();
    }

    /** This document, as YAML. */
    @GetMapping(path = "/openapi.yaml", produces = YAML)
    byte[] yaml() {
        return yaml.obtain();
    }

    private static byte[] read() {
        try (InputStream document = Objects.requireNonNull(
                OpenApiController.class.getResourceAsStream("/docs/openapi.yaml"), "the build puts it there")) {
            return document.readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
