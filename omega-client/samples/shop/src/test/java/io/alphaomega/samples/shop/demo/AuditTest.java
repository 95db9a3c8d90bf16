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
import java.nio.file.StandardOpenOption;
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
            "/orders",
            "[{'order':'good','state':'ENTERED'},{'order':'bad','state':'STRUCK'}]",
            "/reservations",
            "[{'order':'good','article':'lamp','pieces':2,'state':'TAKEN'},"
                    + "{'order':'bad','article':'lamp','pieces':1,'state':'RELEASED'},"
                    + "{'order':'good','article':'gift-box','pieces':1,'state':'TAKEN'},"
                    + "{'order':'bad','article':'gift-box','pieces':1,'state':'RELEASED'}]",
            "/cards",
            "[{'order':'good','state':'PRINTED'},{'order':'bad','state':'DISCARDED'}]",
            "/articles",
            "[{'article':'lamp','delivered':10,'shelf':8,'reserved':0},"
                    + "{'article':'gift-box','delivered':5,'shelf':4,'reserved':0}]",
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
                .hasToString("3 orders: 1 committed, with as many entries, reservations, payments, parcels and mails,"
                        + " 1 of them as gifts; 2 aborted.");
        assertThat(audit().gifts()).containsExactly("good");
    }

    @Test
    void a_reservation_that_is_still_held_is_found() throws IOException {
        answers.computeIfPresent(
                "/reservations",
                (path, list) ->
                        list.replace("'lamp','pieces':1,'state':'RELEASED'", "'lamp','pieces':1,'state':'HELD'"));
        answers.computeIfPresent(
                "/articles", (path, list) -> list.replace("'shelf':8,'reserved':0", "'shelf':7,'reserved':1"));
        assertThat(audit().findings())
                .containsExactly(
                        "Order bad is ABORTED, but its reservation is HELD.",
                        "Of lamp 10 were delivered, but 7 are on the shelf, 1 reserved and 2 taken.");
    }

    @Test
    void an_entry_that_is_not_struck_is_found() throws IOException {
        answers.computeIfPresent("/orders", (path, list) -> list.replace("STRUCK", "ENTERED"));
        assertThat(audit().findings()).containsExactly("Order bad is ABORTED, but its entry is ENTERED.");
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
    void a_mail_that_was_written_twice_is_found_unless_its_writer_has_died() throws IOException {
        mail("good");
        assertThat(audit().findings()).containsExactly("Order good is COMMITTED, but its mail is SENT 2 times.");
        assertThat(audit(true).findings()).isEmpty();
        mail("good");
        assertThat(audit(true).findings()).containsExactly("Order good is COMMITTED, but its mail is SENT 3 times.");
    }

    @Test
    void a_gift_may_be_missing_but_not_by_halves() throws IOException {
        answers.put("/cards", "[]");
        assertThat(audit().findings())
                .containsExactly(
                        "Order good is COMMITTED, but of its gift the box is TAKEN and the card is not there.");
        answers.computeIfPresent(
                "/reservations", (path, list) -> list.replace("1,'state':'TAKEN'", "1,'state':'RELEASED'"));
        answers.computeIfPresent("/articles", (path, list) -> list.replace("'shelf':4", "'shelf':5"));
        assertThat(audit().findings()).isEmpty();
        assertThat(audit().gifts()).isEmpty();
    }

    @Test
    void a_gift_of_an_order_that_was_called_off_is_found() throws IOException {
        answers.computeIfPresent("/cards", (path, list) -> list.replace("DISCARDED", "PRINTED"));
        assertThat(audit().findings())
                .containsExactly("Order bad is ABORTED, but of its gift the box is RELEASED and the card is PRINTED.");
    }

    @Test
    void an_order_that_nobody_has_decided_is_found() throws IOException {
        answers.put("/orders/bad", "{'state':'OPEN'}");
        assertThat(audit().findings()).containsExactly("Order bad should be decided and is OPEN.");
    }

    private void mail(String order) throws IOException {
        Files.writeString(
                mails.resolve(order + ".txt"),
                "Subject: Your order\n\nDear customer\n",
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }

    private Audit audit() throws IOException {
        return audit(false);
    }

    private Audit audit(boolean mayDouble) throws IOException {
        URI all = URI.create("http://127.0.0.1:" + server.getAddress().getPort());
        Demo.Addresses at = new Demo.Addresses(all, all, all, all, all, mails);
        return Audit.of(new Web(), at, Set.of("good", "bad", "never"), mayDouble);
    }
}
