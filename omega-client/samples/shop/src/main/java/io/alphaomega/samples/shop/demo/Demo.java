package io.alphaomega.samples.shop.demo;

import io.alphaomega.samples.shop.demo.Web.Answer;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Places orders, some of which must abort, and prints what became of them; then looks whether anything is half done. Ends
 * with code 0 if nothing is and each order ended as it should, and with 1 otherwise.
 */
public final class Demo {
    /** The services connect to alpha within a second or two; one that was killed starts again, on a busy machine late. */
    private static final Duration CONNECT = Duration.ofMinutes(3);

    /** The timeout of a saga that nobody ends is a minute; callbacks are asked for again while a service is away. */
    private static final Duration END = Duration.ofMinutes(4);

    private static final Duration POLL = Duration.ofMillis(100);
    private static final Set<String> DECIDED = Set.of("COMMITTED", "ABORTED", "UNKNOWN");
    private static final Set<String> OVER = Set.of("COMMITTED", "COMPENSATED");

    /** Where everything is, and the directory of mails. */
    public record Addresses(URI alpha, URI shop, URI stock, URI payment, URI shipping, Path mails) {
        List<URI> services() {
            return List.of(shop, stock, payment, shipping);
        }
    }

    /** An order, as the shop takes it; a gift if it has a greeting. */
    public record Order(
            String id,
            String customer,
            String article,
            int pieces,
            String card,
            String address,
            @Nullable String greeting) {
        public static Order of(String customer, String article, int pieces, String card, String address) {
            return new Order(UUID.randomUUID().toString(), customer, article, pieces, card, address, null);
        }

        public Order greeting(String words) {
            return new Order(id, customer, article, pieces, card, address, words);
        }
    }

    /** An order, and what the shop has said. */
    record Placed(Order order, Answer answer) {}

    private final Web web = new Web();
    private final Addresses at;
    private final Set<String> placed = new HashSet<>();

    /** Whether those come as gifts. */
    private final Map<String, Boolean> gifts = new HashMap<>();

    private boolean mayDouble;
    private boolean well = true;

    private Demo(Addresses at) {
        this.at = at;
    }

    /**
     * Takes the HTTP addresses of alpha, shop, stock, payment and shipping, the directory of mails, and perhaps the pid and
     * the name of a service that is to be killed in the middle; somebody must start it again.
     */
    public static void main(String[] args) throws IOException {
        Demo demo = new Demo(new Addresses(
                URI.create(args[0]),
                URI.create(args[1]),
                URI.create(args[2]),
                URI.create(args[3]),
                URI.create(args[4]),
                Path.of(args[5])));
        demo.awaitServices();
        demo.placeOrders();
        demo.placeGifts();
        if (args.length > 7) {
            demo.mayDouble = args[7].equals("payment");
            demo.killAmidOrders(Long.parseLong(args[6]));
            demo.awaitServices();
        }
        demo.placeTwice();
        System.exit(demo.audit() && demo.well ? 0 : 1);
    }

    /** Each ends as it must. */
    private void placeOrders() {
        expect("COMMITTED", "ann orders 2 lamps.", Order.of("ann", "lamp", 2, "5105105105105100", "Mill Lane 3, York"));
        expect("COMMITTED", "bob orders a desk.", Order.of("bob", "desk", 1, "5105105105105100", "Quay 8, Hull"));
        expect(
                "ABORTED",
                "cid orders 3 pianos; there are 2.",
                Order.of("cid", "piano", 3, "5105105105105100", "High Street 1, Leeds"));
        expect(
                "ABORTED",
                "dot orders a lamp; her bank refuses the card.",
                Order.of("dot", "lamp", 1, "4000000000000002", "High Street 2, Leeds"));
        expect(
                "ABORTED",
                "eve orders a piano, to an address that no carrier finds.",
                Order.of("eve", "piano", 1, "5105105105105100", "somewhere"));
    }

    /** What makes a gift of an order fails alone. */
    private void placeGifts() {
        expectGift(
                true,
                "hal orders a lamp as a gift.",
                Order.of("hal", "lamp", 1, "5105105105105100", "Mill Lane 6, York")
                        .greeting("Happy birthday!"));
        expectGift(
                false,
                "ida orders a lamp as a gift, with a greeting that no card has room for: it comes without a box, too.",
                Order.of("ida", "lamp", 1, "5105105105105100", "Mill Lane 7, York")
                        .greeting("Many happy returns of the day! ".repeat(5)));
        Order undone =
                Order.of("jon", "lamp", 1, "5105105105105100", "elsewhere").greeting("Get well soon!");
        expect("ABORTED", "jon orders a lamp as a gift, to an address that no carrier finds.", undone);
    }

    private void expectGift(boolean comes, String story, Order order) {
        gifts.put(order.id(), comes);
        expect("COMMITTED", story, order);
    }

    /** The customer's program has lost the answer, and sends the order again: it is the same one. */
    private void placeTwice() {
        Order order = Order.of("fay", "lamp", 4, "5105105105105100", "Mill Lane 4, York");
        expect("COMMITTED", "fay orders 4 lamps.", order);
        expect("COMMITTED", "fay sends the same order again.", order);
    }

    private void expect(String outcome, String story, Order order) {
        Placed one = place(order).join();
        await("order " + order.id() + " to be decided", END, () -> isDecided(order));
        JsonNode found = web.get(at.shop().resolve("/orders/" + order.id()));
        String text = found.path("text").asString("");
        System.out.printf(
                "%n%s%nThe answer is %d. %s%n",
                story, one.answer().status(), one.answer().text("detail"));
        System.out.printf("The saga is %s. %s%n", found.path("state").asString(""), text);
        System.out.printf(
                "Look at it: %s%n",
                at.alpha().resolve("/sagas/" + found.path("saga").asString("")));
        checkToldTruth(one);
        if (!found.path("state").asString("").equals(outcome)) {
            System.out.printf("It should be %s.%n", outcome);
            well = false;
        }
    }

    /** What becomes of these orders is open. The customers must be told the truth, and nothing may be half done. */
    private void killAmidOrders(long pid) {
        ProcessHandle victim = ProcessHandle.of(pid)
                .orElseThrow(() -> new IllegalArgumentException("There is no process " + pid + " to kill."));
        List<CompletableFuture<Placed>> orders = new ArrayList<>();
        for (int number = 0; number < 24; number++) {
            Order order = Order.of("gus" + number, "lamp", 1, "5105105105105100", "High Street " + number + ", Leeds");
            orders.add(place(number % 2 == 0 ? order : order.greeting("Greetings from gus " + number)));
            // Some are done by then, some have just begun.
            if (number == 11) {
                CompletableFuture.anyOf(orders.toArray(CompletableFuture[]::new))
                        .join();
                victim.destroyForcibly();
                victim.onExit().join();
            }
        }
        Map<Integer, Integer> answers = new HashMap<>();
        List<Placed> all = orders.stream().map(CompletableFuture::join).toList();
        all.forEach(one -> answers.merge(one.answer().status(), 1, Integer::sum));
        System.out.printf("%n24 orders at once, every other a gift, and a service is killed amid them.%n");
        answers.forEach((status, times) ->
                System.out.printf("%d times %s.%n", times, status == 0 ? "nobody answers" : "the answer is " + status));
        awaitServices();
        for (Placed one : all) {
            await("order " + one.order().id() + " to be decided", END, () -> isDecided(one.order()));
            checkToldTruth(one);
        }
    }

    /** 409 and 502 say that the order is called off, others how it is decided, if they know. */
    private void checkToldTruth(Placed one) {
        int status = one.answer().status();
        String told = status == 409 || status == 502 ? "ABORTED" : one.answer().text("state");
        String outcome = outcome(one.order());
        boolean committed = outcome.equals("COMMITTED");
        // Of an order that is off alpha need not have heard.
        if ((told.equals("COMMITTED") && !committed) || (told.equals("ABORTED") && committed)) {
            System.out.printf(
                    "%s was told %d, that the order %s is %s, but it is %s.%n",
                    one.order().customer(), status, one.order().id(), told, outcome);
            well = false;
        }
    }

    private CompletableFuture<Placed> place(Order order) {
        placed.add(order.id());
        return web.post(at.shop().resolve("/orders"), order).thenApply(answer -> new Placed(order, answer));
    }

    /** Of an order that was refused before its saga had begun alpha knows nothing. */
    private boolean isDecided(Order order) {
        return DECIDED.contains(outcome(order));
    }

    private String outcome(Order order) {
        return Audit.outcome(web, at.shop(), order.id());
    }

    private boolean audit() throws IOException {
        await(
                "all sagas to end",
                END,
                () -> OVER.containsAll(web.sagas(at.alpha()).values()));
        Audit audit = Audit.of(web, at, placed, mayDouble);
        System.out.printf("%n%s%n", audit);
        audit.findings().forEach(System.out::println);
        gifts.forEach((order, comes) -> {
            if (audit.gifts().contains(order) == comes) return;
            System.out.printf("Order %s should%s have come as a gift.%n", order, comes ? "" : " not");
            well = false;
        });
        System.out.println(audit.findings().isEmpty() ? "Nothing is half done." : "That must not be.");
        return audit.findings().isEmpty();
    }

    private void awaitServices() {
        for (URI service : at.services()) {
            await("the service at " + service + " to be connected to alpha", CONNECT, () -> web.isUp(service));
        }
    }

    private void await(String what, Duration within, BooleanSupplier condition) {
        long end = System.nanoTime() + within.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - end > 0) {
                System.out.printf("Waited for %s, in vain for %d s.%n", what, within.toSeconds());
                System.exit(1);
            }
            LockSupport.parkNanos(POLL.toNanos());
        }
    }
}
