package io.alphaomega.samples.shop.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Whether anything is half done: for each order, its reservation, its payment, its parcel and its mail must be what alpha
 * has decided, and the sums must agree. It asks when all sagas are over.
 */
final class Audit {
    private static final String MAIL = ".txt";

    private final Map<String, JsonNode> reservations;
    private final Map<String, JsonNode> payments;
    private final Map<String, JsonNode> parcels;
    private final Set<String> mails;
    private final JsonNode articles;
    private final long till;
    private final Set<String> orders = new TreeSet<>();
    private final List<String> findings = new ArrayList<>();
    private int committed;

    private Audit(Web web, Demo.Addresses at, Set<String> placed) throws IOException {
        reservations = byOrder(web.get(at.stock().resolve("/reservations")));
        payments = byOrder(web.get(at.payment().resolve("/payments")));
        parcels = byOrder(web.get(at.shipping().resolve("/parcels")));
        mails = mails(at.mails());
        articles = web.get(at.stock().resolve("/articles"));
        till = web.get(at.payment().resolve("/till")).path("cents").asLong(-1);
        Stream.of(placed, reservations.keySet(), payments.keySet(), parcels.keySet(), mails)
                .forEach(orders::addAll);
    }

    /** @param placed the ids of orders, which need not have left anything anywhere */
    static Audit of(Web web, Demo.Addresses at, Set<String> placed) throws IOException {
        Audit audit = new Audit(web, at, placed);
        for (String order : audit.orders) audit.check(order, outcome(web, at.shop(), order));
        audit.checkStock();
        audit.checkTill();
        return audit;
    }

    /** A sentence on each thing that does not agree. */
    List<String> findings() {
        return findings;
    }

    @Override
    public String toString() {
        return "%d orders: %d committed, with as many reservations taken, payments, parcels and mails; %d aborted."
                .formatted(orders.size(), committed, orders.size() - committed);
    }

    static String outcome(Web web, URI shop, String order) {
        return web.get(shop.resolve("/orders/" + order)).path("state").asString("");
    }

    private void check(String order, String outcome) {
        boolean done = outcome.equals("COMMITTED");
        // Alpha has not heard of an order that was refused before its saga had begun.
        if (!done && !outcome.equals("ABORTED") && !outcome.equals("UNKNOWN")) {
            findings.add("Order %s should be decided and is %s.".formatted(order, outcome));
            return;
        }
        if (done) committed++;
        compare(order, outcome, "reservation", state(reservations, order), done ? Set.of("TAKEN") : undone("RELEASED"));
        compare(order, outcome, "payment", state(payments, order), done ? Set.of("CHARGED") : undone("REFUNDED"));
        compare(order, outcome, "parcel", state(parcels, order), done ? Set.of("PACKED") : undone("UNPACKED"));
        compare(order, outcome, "mail", mails.contains(order) ? "SENT" : "", done ? Set.of("SENT") : Set.of(""));
    }

    private void compare(String order, String outcome, String what, String found, Set<String> expected) {
        if (expected.contains(found)) return;
        findings.add("Order %s is %s, but its %s is %s."
                .formatted(order, outcome, what, found.isEmpty() ? "not there" : found));
    }

    /** Undone, or never done. */
    private static Set<String> undone(String state) {
        return Set.of(state, "");
    }

    private void checkStock() {
        Map<String, Integer> taken = new HashMap<>();
        reservations.values().stream()
                .filter(each -> text(each, "state").equals("TAKEN"))
                .forEach(each ->
                        taken.merge(text(each, "article"), each.path("pieces").asInt(), Integer::sum));
        for (JsonNode article : articles) {
            int delivered = article.path("delivered").asInt();
            int shelf = article.path("shelf").asInt();
            int reserved = article.path("reserved").asInt();
            int gone = taken.getOrDefault(text(article, "article"), 0);
            if (reserved != 0 || shelf + gone != delivered) {
                findings.add("Of %s %d were delivered, but %d are on the shelf, %d reserved and %d taken."
                        .formatted(text(article, "article"), delivered, shelf, reserved, gone));
            }
        }
    }

    private void checkTill() {
        long charged = payments.values().stream()
                .filter(each -> text(each, "state").equals("CHARGED"))
                .mapToLong(each -> each.path("cents").asLong())
                .sum();
        if (till != charged) findings.add("The till has %d cents, but %d were charged.".formatted(till, charged));
    }

    private static Map<String, JsonNode> byOrder(JsonNode list) {
        if (!list.isArray()) throw new IllegalStateException("A list was expected, not " + list + ".");
        Map<String, JsonNode> found = new HashMap<>();
        for (JsonNode each : list) found.put(text(each, "order"), each);
        return found;
    }

    private static Set<String> mails(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Set<String> orders = new HashSet<>();
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.endsWith(MAIL))
                    .forEach(name -> orders.add(name.substring(0, name.length() - MAIL.length())));
            return orders;
        }
    }

    private static String state(Map<String, JsonNode> found, String order) {
        JsonNode one = found.get(order);
        return one == null ? "" : text(one, "state");
    }

    private static String text(JsonNode node, String field) {
        return node.path(field).asString("");
    }
}
