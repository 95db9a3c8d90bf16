package io.alphaomega.omega.transport;

import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.RabbitMqServer;
import io.alphaomega.repository.servers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/**
 * What a saga costs more than the same calls without omega, by each transport. Two processes of {@link CostShop}, of which
 * one has {@code omega.enabled=false}, are measured by turns, and two of {@link ReactiveCostShop}; the brokers are in
 * processes of their own or in this one.
 */
final class CallCost {
    private static final int CALLS = 11;
    private static final double KIB = 1024;

    private final HttpClient http = HttpClient.newHttpClient();
    private final String alpha;
    private final int rounds;
    private final int sagas;
    private final int warmup;

    /**
     * @param options {@code --rounds=}, 5 unless it is said; {@code --sagas=}, 500: of one call, in each round, and a fifth
     *     as many of several; {@code --warmup=}, 3000: sagas before the first round
     */
    CallCost(String alpha, String... options) {
        this.alpha = alpha;
        rounds = StarterCost.option(options, "rounds", 5);
        sagas = StarterCost.option(options, "sagas", 500);
        warmup = StarterCost.option(options, "warmup", 3000);
    }

    /** A process of the service. */
    private record Service(ServerProcess process, int port) implements AutoCloseable {
        @Override
        public void close() {
            process.close();
        }
    }

    /** The rounds of one transport: what one call takes, and what several take. */
    private record Rounds(List<CostSample> one, List<CostSample> several) {
        Rounds() {
            this(new ArrayList<>(), new ArrayList<>());
        }

        CostSample first() {
            return CostSample.median(one);
        }

        CostSample further() {
            return CostSample.median(several).minus(first()).by(CALLS - 1);
        }
    }

    /** Calls of one kind, with omega and without. */
    private final class Row {
        private final String title;
        private final CalledBy by;
        private final Service without;
        private final Service with;
        private final Rounds costsWithout = new Rounds();
        private final Rounds costsWith = new Rounds();

        Row(String title, CalledBy by, Service without, Service with) {
            this.title = title;
            this.by = by;
            this.without = without;
            this.with = with;
        }

        void warmUp() throws IOException, InterruptedException {
            CallCost.this.measure(without, by, warmup, 1);
            CallCost.this.measure(with, by, warmup, 1);
        }

        void measure() throws IOException, InterruptedException {
            CallCost.this.measure(without, by, costsWithout);
            CallCost.this.measure(with, by, costsWith);
        }

        void print() {
            CostSample first = costsWithout.first();
            CostSample firstMore = costsWith.first().minus(first);
            CostSample furtherMore = costsWith.further().minus(costsWithout.further());
            System.out.printf("| %s | %s | %s | %s |%n", title, cells(first), cells(firstMore), cells(furtherMore));
        }
    }

    void measure() throws IOException, InterruptedException {
        EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1, "without", "with");
        try {
            kafka.afterPropertiesSet();
            measureBeside(kafka);
        } finally {
            kafka.destroy();
        }
    }

    private void measureBeside(EmbeddedKafkaKraftBroker kafka) throws IOException, InterruptedException {
        String off = "--omega.enabled=false";
        String on = "--omega.alpha.addresses=" + alpha;
        try (RabbitMqServer rabbit = RabbitMqServer.start();
                Service without = service(CostShop.class, "without", kafka, rabbit, off);
                Service with = service(CostShop.class, "with", kafka, rabbit, on);
                Service reactiveWithout = service(ReactiveCostShop.class, "reactive-without", kafka, rabbit, off);
                Service reactiveWith = service(ReactiveCostShop.class, "reactive-with", kafka, rabbit, on)) {
            List<Row> rows = new ArrayList<>();
            for (CalledBy by : CalledBy.values()) {
                rows.add(new Row(by.title, by, without, with));
                if (by == CalledBy.WEB_CLIENT) {
                    rows.add(new Row(by.title + ", on WebFlux", by, reactiveWithout, reactiveWith));
                }
            }
            for (Row row : rows) row.warmUp();
            for (int round = 0; round < rounds; round++) {
                for (Row row : rows) row.measure();
            }
            System.out.println("""
                    | called by | without omega: µs | CPU-µs | KB | a saga of one call, more: µs | CPU-µs | KB | each further call, more: µs | CPU-µs | KB |
                    | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |""");
            rows.forEach(Row::print);
        }
    }

    private static Service service(
            Class<?> main, String name, EmbeddedKafkaKraftBroker kafka, RabbitMqServer rabbit, String omega) {
        int port = ServerProcess.freePort();
        int grpc = ServerProcess.freePort();
        Command command = StarterCost.service(main)
                .with(
                        "--spring.application.name=" + name,
                        "--server.port=" + port,
                        "--spring.grpc.server.port=" + grpc,
                        "--stock.http=http://127.0.0.1:" + port,
                        "--stock.grpc=static://127.0.0.1:" + grpc,
                        "--spring.kafka.bootstrap-servers=" + kafka.getBrokersAsString(),
                        "--spring.kafka.consumer.group-id=" + name,
                        "--spring.kafka.consumer.auto-offset-reset=earliest",
                        "--spring.rabbitmq.host=127.0.0.1",
                        "--spring.rabbitmq.port=" + rabbit.port(),
                        "--spring.cloud.openfeign.circuitbreaker.enabled=false",
                        "--omega.hold-for=1s",
                        omega);
        ServerProcess process =
                new ServerProcess(ServerProcess.newDirectory(name), command, ServerProcess.listening(port));
        return new Service(process.start(), port);
    }

    private void measure(Service service, CalledBy by, Rounds costs) throws IOException, InterruptedException {
        costs.one().add(measure(service, by, sagas, 1));
        costs.several().add(measure(service, by, Math.max(1, sagas / 5), CALLS));
    }

    private CostSample measure(Service service, CalledBy by, int times, int calls)
            throws IOException, InterruptedException {
        URI what = URI.create("http://127.0.0.1:%d/measure/%s/%d/%d".formatted(service.port(), by, times, calls));
        HttpResponse<String> answer = http.send(HttpRequest.newBuilder(what).build(), BodyHandlers.ofString());
        if (answer.statusCode() == 200) return CostSample.parse(answer.body());
        throw new IllegalStateException(
                "%s was answered with %d %s.".formatted(what, answer.statusCode(), answer.body()));
    }

    private static String cells(CostSample sample) {
        return "%,.0f | %,.0f | %,.1f".formatted(sample.micros(), sample.cpuMicros(), sample.bytes() / KIB);
    }
}
