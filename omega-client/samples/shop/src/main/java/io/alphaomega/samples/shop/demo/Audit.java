package io.alphaomega.samples.shop.demo;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Whether anything is half done: for each order, its entry, its reservation, its payment, its parcel and its one mail must be
 * what alpha has decided, its gift must be whole or not there, and the sums must agree. It asks when all sagas are over.
 */
public final class Audit {
    private static final String MAIL = ".txt";
    private static final String SUBJECT = "Subject: ";
    private static final String BOX = "gift-box";

    private final Map<String, JsonNode> entries;
    private final Map<String, JsonNode> reservations;
    private final Map<String, JsonNode> boxes;
    private final Map<String, JsonNode> cards;
    private final Map<String, JsonNode> payments;
    private final Map<String, JsonNode> parcels;
    private final Map<String, Long> mails;
    private final boolean mayDouble;
    private final JsonNode articles;
    private final long till;
    private final Set<String> orders = new TreeSet<>();
    private final Set<String> gifts = new TreeSet<>();
    private final List<String> findings = new ArrayList<>();
    private int committed;

    private Audit(Web web, Demo.Addresses at, Set<String> placed, boolean mayDouble) throws IOException {
        entries = byOrder(web.get(at.shop().resolve("/orders")));
        JsonNode reserved = web.get(at.stock().resolve("/reservations"));
        reservations = byOrder(reserved, each -> !isBox(each));
        boxes = byOrder(reserved, Audit::isBox);
        cards = byOrder(web.get(at.shipping().resolve("/cards")));
        payments = byOrder(web.get(at.payment().resolve("/payments")));
        parcels = byOrder(web.get(at.shipping().resolve("/parcels")));
        mails = mails(at.mails());
        this.mayDouble = mayDouble;
        articles = web.get(at.stock().resolve("/articles"));
        till = web.get(at.payment().resolve("/till")).path("cents").asLong(-1);
        Stream.of(entries, reservations, boxes, cards, payments, parcels, mails)
                .forEach(each -> orders.addAll(each.keySet()));
        orders.addAll(placed);
    }

    /**
     * Asks everybody, and compares what they say.
     *
     * @param placed the ids of orders, which need not have left anything anywhere
     * @param mayDouble whether who writes the mails has died, and may have written one twice
     */
    public static Audit of(Web web, Demo.Addresses at, Set<String> placed, boolean mayDouble) throws IOException {
        Audit audit = new Audit(web, at, placed, mayDouble);
        for (String order : audit.orders) audit.check(order, outcome(web, at.shop(), order));
        audit.checkStock();
        audit.checkTill();
        return audit;
    }

    /** A sentence on each thing that does not agree. */
    public List<String> findings() {
        return findings;
    }

    /** The orders that have come in a box and with a card. */
    Set<String> gifts() {
        return gifts;
    }

    @Override
    public String toString() {
        return "%d orders: %d committed, with as many entries, reservations, payments, parcels and mails, %d of them as gifts; %d aborted."
                .formatted(orders.size(), committed, gifts.size(), orders.size() - committed);
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
        compare(order, outcome, "entry", state(entries, order), done ? Set.of("ENTERED") : undone("STRUCK"));
        compare(order, outcome, "reservation", state(reservations, order), done ? Set.of("TAKEN") : undone("RELEASED"));
        compare(order, outcome, "payment", state(payments, order), done ? Set.of("CHARGED") : undone("REFUNDED"));
        compare(order, outcome, "parcel", state(parcels, order), done ? Set.of("PACKED") : undone("UNPACKED"));
        compare(order, outcome, "mail", sent(order), done ? mailed() : Set.of(""));
        checkGift(order, outcome, done);
    }

    private String sent(String order) {
        long times = mails.getOrDefault(order, 0L);
        if (times == 0) return "";
        return times == 1 ? "SENT" : "SENT %d times".formatted(times);
    }

    private Set<String> mailed() {
        return mayDouble ? Set.of("SENT", "SENT 2 times") : Set.of("SENT");
    }

    /** A gift may fail alone, but not by halves. */
    private void checkGift(String order, String outcome, boolean done) {
        String box = state(boxes, order);
        String card = state(cards, order);
        boolean whole = box.equals("TAKEN") && card.equals("PRINTED");
        if (whole && done) gifts.add(order);
        boolean none = undone("RELEASED").contains(box) && undone("DISCARDED").contains(card);
        if (none || (whole && done)) return;
        findings.add("Order %s is %s, but of its gift the box is %s and the card is %s."
                .formatted(order, outcome, said(box), said(card)));
    }

    private void compare(String order, String outcome, String what, String found, Set<String> expected) {
        if (expected.contains(found)) return;
        findings.add("Order %s is %s, but its %s is %s.".formatted(order, outcome, what, said(found)));
    }

    private static String said(String state) {
        return state.isEmpty() ? "not there" : state;
    }

    /** Undone, or never done. */
    private static Set<String> undone(String state) {
        return Set.of(state, "");
    }

    private void checkStock() {
        Map<String, Integer> taken = new HashMap<>();
        Stream.concat(reservations.values().stream(), boxes.values().stream())
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

    private static boolean isBox(JsonNode reservation) {
        return text(reservation, "article").equals(BOX);
    }

    private static Map<String, JsonNode> byOrder(JsonNode list) {
        return byOrder(list, each -> true);
    }

    private static Map<String, JsonNode> byOrder(JsonNode list, Predicate<JsonNode> which) {
        if (!list.isArray()) throw new IllegalStateException("A list was expected, not " + list + ".");
        Map<String, JsonNode> found = new HashMap<>();
        for (JsonNode each : list) {
            if (which.test(each)) found.put(text(each, "order"), each);
        }
        return found;
    }

    /** How many there are about each order, in the directory of mails. */
    public static Map<String, Long> mails(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            Map<String, Long> written = new HashMap<>();
            for (Path file : files.toList()) {
                String name = file.getFileName().toString();
                if (!name.endsWith(MAIL)) continue;
                long times = Files.readAllLines(file).stream()
                        .filter(line -> line.startsWith(SUBJECT))
                        .count();
                written.put(name.substring(0, name.length() - MAIL.length()), times);
            }
            return written;
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
