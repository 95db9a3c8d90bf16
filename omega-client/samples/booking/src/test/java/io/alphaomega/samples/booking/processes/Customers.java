package io.alphaomega.samples.booking.processes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.locks.LockSupport;

/** People who book trips without pause, some of which the hotel or the car rental refuses, and remember what they were told. */
final class Customers implements AutoCloseable {
    private static final int PEOPLE = 4;

    /** Who finds nobody at the desk comes back a little later. */
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Stage stage;
    private final List<Answer> answers = Collections.synchronizedList(new ArrayList<>());
    private final List<Thread> people = new ArrayList<>();
    private volatile boolean stopping;

    Customers(Stage stage) {
        this.stage = stage;
    }

    void start() {
        for (int i = 0; i < PEOPLE; i++) {
            Random random = new Random(i);
            people.add(Thread.ofVirtual().name("customer-" + i).start(() -> {
                while (!stopping) {
                    Answer answer = order(random);
                    answers.add(answer);
                    if (answer.status() == 0) LockSupport.parkNanos(PAUSE.toNanos());
                }
            }));
        }
    }

    private Answer order(Random random) {
        int cars = 1 + random.nextInt(4);
        int rooms = random.nextInt(4) == 0 ? Stage.tooManyRooms() : 1 + random.nextInt(3);
        return stage.book("customer", cars, rooms);
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

    /** How many answers there were of each status; 0 for none. */
    SortedMap<Integer, Integer> answers() {
        SortedMap<Integer, Integer> counts = new TreeMap<>();
        for (Answer answer : List.copyOf(answers)) counts.merge(answer.status(), 1, Integer::sum);
        return counts;
    }

    /** Answers that claimed an outcome which is not the saga's. */
    List<String> lies(Map<String, String> states) {
        return List.copyOf(answers).stream()
                .filter(answer -> switch (answer.status()) {
                    case 200 -> !"COMMITTED".equals(states.get(answer.saga()));
                    case 409 -> !answer.saga().isEmpty() && !"COMPENSATED".equals(states.get(answer.saga()));
                    default -> false;
                })
                .map(answer -> answer + ", but the saga is " + states.get(answer.saga()))
                .toList();
    }

    @Override
    public void close() {
        stopping = true;
        people.forEach(Thread::interrupt);
    }
}
