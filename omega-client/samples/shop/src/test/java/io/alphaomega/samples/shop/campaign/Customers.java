package io.alphaomega.samples.shop.campaign;

import io.alphaomega.samples.shop.demo.Demo.Order;
import io.alphaomega.samples.shop.demo.Web.Answer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** People who order again and again, some of it impossible, and remember what they were told. */
final class Customers implements AutoCloseable {
    private static final int PEOPLE = 6;

    /** One comes back about so often: faster ones leave two busy cores no time to recover anything. */
    private static final long PAUSE_NANOS = 400_000_000;

    private static final String CARD = "5105105105105100";
    private static final String REFUSED_CARD = "4000000000000002";
    private static final String ADDRESS = "Mill Lane 3, York";

    private final Stage stage;
    private final List<Told> told = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> people = new ArrayList<>();
    private volatile boolean stopping;

    Customers(Stage stage) {
        this.stage = stage;
    }

    /**
     * What somebody was told about an order, each time that he sent it.
     *
     * @param possible whether it may be committed
     * @param status 0 if nobody answered
     * @param state that the answer says, if it says one
     */
    record Told(String order, boolean possible, int status, String state) {
        boolean isPlaced() {
            return status == 200 || status == 202;
        }

        boolean isUnsure() {
            return !isPlaced() && status != 409;
        }
    }

    void start(long seed) {
        for (int i = 0; i < PEOPLE; i++) {
            String name = "customer-" + i;
            Random random = new Random(seed + i);
            people.add(Thread.ofVirtual().name(name).start(() -> shop(name, random)));
        }
    }

    private void shop(String name, Random random) {
        while (!stopping) {
            Order order = order(name, random);
            Told last = place(order);
            // Who does not know whether it was placed may send it again, and again.
            while (last.isUnsure() && !stopping && random.nextBoolean()) {
                pause(random);
                last = place(order);
            }
            pause(random);
        }
    }

    private static void pause(Random random) {
        LockSupport.parkNanos(random.nextLong(2 * PAUSE_NANOS));
    }

    private static Order order(String name, Random random) {
        int dice = random.nextInt(100);
        Order order =
                switch (dice / 5) {
                    case 0, 1 -> Order.of(name, "lamp", 1, REFUSED_CARD, ADDRESS);
                    case 2, 3 -> Order.of(name, "lamp", 1, CARD, "nowhere");
                    case 4 -> Order.of(name, "piano", 3, CARD, ADDRESS);
                    case 5, 6 -> Order.of(name, "desk", 1, CARD, ADDRESS);
                    default -> Order.of(name, "lamp", 1 + random.nextInt(3), CARD, ADDRESS);
                };
        return switch (random.nextInt(8)) {
            case 0, 1 -> order.greeting("Happy birthday!");
            case 2 -> order.greeting("Many happy returns of the day! ".repeat(5));
            default -> order;
        };
    }

    /** Sends it once. */
    Told place(Order order) {
        boolean possible = order.card().equals(CARD)
                && order.address().equals(ADDRESS)
                && !order.article().equals("piano");
        Answer answer =
                stage.web.post(stage.at.shop().resolve("/orders"), order).join();
        Told one = new Told(order.id(), possible, answer.status(), answer.text("state"));
        told.add(one);
        return one;
    }

    /** Nobody orders any more, and everybody has an answer. */
    void stop() {
        stopping = true;
        for (Thread person : people) {
            try {
                person.join();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the last customers waited for their answers.", e);
            }
        }
    }

    List<Told> told() {
        synchronized (told) {
            return List.copyOf(told);
        }
    }

    /** How many answers there were of each status. */
    Map<Integer, Integer> answers() {
        Map<Integer, Integer> counts = new TreeMap<>();
        told().forEach(one -> counts.merge(one.status(), 1, Integer::sum));
        return counts;
    }

    @Override
    public void close() {
        stopping = true;
        people.forEach(Thread::interrupt);
    }
}
