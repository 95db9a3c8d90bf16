package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Ack;
import io.alphaomega.protocol.v1.Input;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * A measurement, no test: how many appends travel together when 1, 50 and 500 sagas of three branches run at a time, by
 * the metric of a running alpha without other users. By hand, as docs/internals/measurements/batches.md says: {@code
 * -Dgrpc} and {@code -Dhttp} say where it listens, {@code -Dsagas} how many to run of each.
 */
final class BatchSizes {
    private static final int[] AT_A_TIME = {1, 50, 500};
    private static final int BRANCHES = 3;

    /** One stream's window is 1,024 inputs, of which a saga has one unanswered. */
    private static final int STREAMS = 4;

    private static final Duration ANSWER_WITHIN = Duration.ofSeconds(30);

    private static final Pattern BUCKET =
            Pattern.compile("alpha_repository_batch_items_bucket\\{le=\"([^\"]+)\"\\} (\\S+)");

    private final String grpc = System.getProperty("grpc", "127.0.0.1:8071");
    private final String http = System.getProperty("http", "127.0.0.1:8090");
    private final int sagas = Integer.getInteger("sagas", 2_000);

    private final List<Stream> streams = new ArrayList<>();
    private final AtomicLong correlation = new AtomicLong();

    @Test
    void the_distribution_of_batch_sizes_is_printed() throws IOException, InterruptedException {
        int port = URI.create("grpc://" + grpc).getPort();
        for (int i = 0; i < STREAMS; i++) streams.add(new Stream(TestOmega.welcomed(port, "load", "load-" + i)));
        run(AT_A_TIME[1]); // Until the compiler is done.
        for (int atATime : AT_A_TIME) {
            NavigableMap<Double, Double> before = buckets();
            long begun = System.nanoTime();
            run(atATime);
            print(atATime, (System.nanoTime() - begun) / 1e9, before, buckets());
        }
    }

    private void print(
            int atATime, double seconds, NavigableMap<Double, Double> before, NavigableMap<Double, Double> after) {
        double batches = after.lastEntry().getValue() - before.lastEntry().getValue();
        System.out.printf(
                "%d at a time: %d sagas in %.1f s (%.0f/s), %.0f batches, %.2f per saga%n",
                atATime, sagas, seconds, sagas / seconds, batches, batches / sagas);
        double below = 0;
        for (Map.Entry<Double, Double> bucket : after.entrySet()) {
            double within = bucket.getValue() - before.getOrDefault(bucket.getKey(), 0.0);
            if (within > below) {
                System.out.printf(
                        "  up to %4s appends: %5.1f %%%n", text(bucket.getKey()), 100 * (within - below) / batches);
            }
            below = within;
        }
    }

    private static String text(double limit) {
        return Double.isInfinite(limit) ? "more" : Long.toString((long) limit);
    }

    /** Cumulative counts by the upper limit. */
    private NavigableMap<Double, Double> buckets() throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + http + "/actuator/prometheus"))
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            Matcher bucket = BUCKET.matcher(
                    client.send(request, HttpResponse.BodyHandlers.ofString()).body());
            NavigableMap<Double, Double> buckets = new TreeMap<>();
            while (bucket.find()) {
                String limit = bucket.group(1);
                buckets.put(
                        limit.equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(limit),
                        Double.parseDouble(bucket.group(2)));
            }
            if (buckets.isEmpty()) throw new IllegalStateException("There is no histogram of batches at " + http + ".");
            return buckets;
        }
    }

    private void run(int atATime) throws InterruptedException {
        AtomicLong left = new AtomicLong(sagas);
        CountDownLatch done = new CountDownLatch(atATime);
        List<Thread> initiators = new ArrayList<>();
        for (int i = 0; i < atATime; i++) {
            Stream stream = streams.get(i % STREAMS);
            initiators.add(Thread.startVirtualThread(() -> {
                while (left.getAndDecrement() > 0) saga(stream);
                done.countDown();
            }));
        }
        for (Thread initiator : initiators) initiator.join();
        if (done.getCount() > 0) throw new IllegalStateException("Not every saga was run: see above.");
    }

    private void saga(Stream stream) {
        String saga = UUID.randomUUID().toString();
        require(stream.ask(TestOmega.begin(correlation.incrementAndGet(), saga)).hasAccepted());
        for (int i = 0; i < BRANCHES; i++) {
            String branch = "branch-" + i;
            require(stream.ask(TestOmega.beginBranch(correlation.incrementAndGet(), saga, branch))
                    .hasAccepted());
            require(stream.ask(TestOmega.endBranch(correlation.incrementAndGet(), saga, branch))
                    .hasAccepted());
        }
        require(stream.ask(TestOmega.end(correlation.incrementAndGet(), saga, true))
                .hasCommitted());
    }

    private static void require(boolean expected) {
        if (!expected) throw new IllegalStateException("Alpha refused an input: measure one that is not overloaded.");
    }

    /** An omega that many ask at a time. */
    private static final class Stream {
        private final TestOmega omega;
        private final Map<Long, CompletableFuture<Ack>> asked = new ConcurrentHashMap<>();

        Stream(TestOmega omega) {
            this.omega = omega;
            Thread.ofVirtual().start(this::read);
        }

        private void read() {
            try {
                while (true)
                    omega.acks
                            .take()
                            .getAcks()
                            .getAcksList()
                            .forEach(ack -> answer(ack).complete(ack));
            } catch (InterruptedException e) { // By nobody.
                Thread.currentThread().interrupt();
            }
        }

        Ack ask(Input input) {
            CompletableFuture<Ack> answer = new CompletableFuture<>();
            asked.put(input.getCorrelation(), answer);
            synchronized (omega.out) {
                omega.send(input);
            }
            return answer.orTimeout(ANSWER_WITHIN.toSeconds(), TimeUnit.SECONDS).join();
        }

        private CompletableFuture<Ack> answer(Ack ack) {
            CompletableFuture<Ack> answer = asked.remove(ack.getCorrelation());
            if (answer == null) throw new IllegalStateException("Nobody asked " + ack.getCorrelation() + ".");
            return answer;
        }
    }
}
