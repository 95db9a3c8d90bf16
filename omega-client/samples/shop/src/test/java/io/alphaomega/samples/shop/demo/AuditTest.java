package io.alphaomega.samples.shop.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the services could say if something were half done. One order is committed, one aborted. */
class AuditTest {
    private final Map<String, String> answers = new HashMap<>(Map.of(
            "/orders/good",
            "{'state':'COMMITTED'}",
            "/orders/bad",
            "{'state':'ABORTED'}",
            "/reservations",
            "[{'order':'good','article':'lamp','pieces':2,'state':'TAKEN'},"
                    + "{'order':'bad','article':'lamp','pieces':1,'state':'RELEASED'}]",
            "/articles",
            "[{'article':'lamp','delivered':10,'shelf':8,'reserved':0}]",
            "/payments",
            "[{'order':'good','cents':9800,'state':'CHARGED'},{'order':'bad','cents':4900,'state':'REFUNDED'}]",
            "/till",
            "{'cents':9800}",
            "/parcels",
            "[{'order':'good','state':'PACKED'},{'order':'bad','state':'UNPACKED'}]"));

    @TempDir
    private Path mails;

    private final HttpServer server;

    AuditTest() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = answers.getOrDefault(exchange.getRequestURI().getPath(), "{'state':'UNKNOWN'}")
                    .replace('\'', '"')
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    @BeforeEach
    void start() throws IOException {
        server.start();
        mail("good");
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void what_is_whole_is_whole() throws IOException {
        assertThat(audit().findings()).isEmpty();
        assertThat(audit())
                .hasToString("3 orders: 1 committed, with as many reservations taken, payments, parcels and mails;"
                        + " 2 aborted.");
    }

    @Test
    void a_reservation_that_is_still_held_is_found() throws IOException {
        answers.computeIfPresent("/reservations", (path, list) -> list.replace("RELEASED", "HELD"));
        answers.put("/articles", "[{'article':'lamp','delivered':10,'shelf':7,'reserved':1}]");
        assertThat(audit().findings())
                .containsExactly(
                        "Order bad is ABORTED, but its reservation is HELD.",
                        "Of lamp 10 were delivered, but 7 are on the shelf, 1 reserved and 2 taken.");
    }

    @Test
    void a_payment_that_is_not_refunded_is_found() throws IOException {
        answers.computeIfPresent("/payments", (path, list) -> list.replace("REFUNDED", "CHARGED"));
        assertThat(audit().findings())
                .containsExactly(
                        "Order bad is ABORTED, but its payment is CHARGED.",
                        "The till has 9800 cents, but 14700 were charged.");
    }

    @Test
    void a_parcel_that_is_missing_is_found() throws IOException {
        answers.put("/parcels", "[]");
        assertThat(audit().findings()).containsExactly("Order good is COMMITTED, but its parcel is not there.");
    }

    @Test
    void a_mail_about_an_order_that_was_called_off_is_found() throws IOException {
        mail("bad");
        assertThat(audit().findings()).containsExactly("Order bad is ABORTED, but its mail is SENT.");
    }

    @Test
    void an_order_that_nobody_has_decided_is_found() throws IOException {
        answers.put("/orders/bad", "{'state':'OPEN'}");
        assertThat(audit().findings()).containsExactly("Order bad should be decided and is OPEN.");
    }

    private void mail(String order) throws IOException {
        Files.writeString(mails.resolve(order + ".txt"), "Dear customer");
    }

    private Audit audit() throws IOException {
        URI all = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        return Audit.of(new Web(), new Demo.Addresses(all, all, all, all, all, mails), Set.of("good", "bad", "never"));
    }
}
