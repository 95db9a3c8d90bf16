package io.alphaomega.omega.coexistence.service;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.web.client.RestClient;

/** What it sends over HTTP. */
class Calling implements Trial {
    private final RestClient.Builder clients;

    Calling(RestClient.Builder clients) {
        this.clients = clients;
    }

    record Order(String id, int many) {}

    @Override
    public void run(ConfigurableApplicationContext service, BiConsumer<String, String> facts) throws Exception {
        AtomicReference<String> seen = new AtomicReference<>("nothing");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            TreeMap<String, Object> headers = new TreeMap<>(exchange.getRequestHeaders());
            headers.remove("Host");
            seen.set(headers + " " + new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        try {
            String where = "http://localhost:" + server.getAddress().getPort() + "/";
            clients.build().post().uri(where).body(new Order("a", 1)).retrieve().toBodilessEntity();
        } finally {
            server.stop(0);
        }
        facts.accept("request", seen.get());
    }
}
