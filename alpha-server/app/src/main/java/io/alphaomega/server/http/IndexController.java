package io.alphaomega.server.http;

import io.alphaomega.server.AlphaServer;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What somebody sees who opens alpha's address in a browser. */
@RestController
class IndexController {
    record Index(String alpha, Map<String, String> links) {}

    @GetMapping("/")
    Index index() {
        return new Index(
                AlphaServer.version(),
                Map.of(
                        "console", "/overview",
                        "sagas", "/api/v1/sagas",
                        "stuck", "/api/v1/stuck",
                        "counts", "/api/v1/counts",
                        "services", "/api/v1/services",
                        "bulk retries", "/api/v1/bulk-retries",
                        "nodes", "/api/v1/nodes",
                        "health", "/actuator/health",
                        "info", "/actuator/info",
                        "metrics", "/actuator/prometheus"));
    }
}
