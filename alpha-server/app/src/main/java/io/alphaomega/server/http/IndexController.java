package io.alphaomega.server.http;

import static java.util.Map.entry;

import io.alphaomega.server.process.Release;
import java.util.Map;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What somebody sees who opens alpha's address in a browser. */
@RestController
class IndexController {
    /**
     * The first answer, as JSON.
     *
     * @param alpha its release
     * @param links paths by what is there
     */
    record Index(String alpha, Map<String, String> links) {}

    /** Says where to look. */
    @GetMapping({"/", "/api/v1"})
    Index index() {
        return new Index(
                Release.version(),
                Map.ofEntries(
                        entry("console", "/overview"),
                        entry("API", "/api/v1/openapi.json"),
                        entry("sagas", "/api/v1/sagas"),
                        entry("stuck", "/api/v1/stuck"),
                        entry("orders", "/api/v1/orders"),
                        entry("counts", "/api/v1/counts"),
                        entry("services", "/api/v1/services"),
                        entry("coverage", "/api/v1/coverage"),
                        entry("bulk orders", "/api/v1/bulk-orders"),
                        entry("nodes", "/api/v1/nodes"),
                        entry("changes", "/api/v1/changes"),
                        entry("health", "/actuator/health"),
                        entry("info", "/actuator/info"),
                        entry("metrics", "/actuator/prometheus")));
    }
}
