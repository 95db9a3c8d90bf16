package io.alphaomega.samples.booking.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Books a trip that commits and one that the hotel refuses, and prints both sagas. Ends with code 0 if both ended as they
 * should and with 1 otherwise.
 */
public final class Demo {
    private static final JsonMapper JSON = JsonMapper.shared();

    /** The services connect to alpha within a second or two; a busy machine takes longer. */
    private static final Duration CONNECT = Duration.ofSeconds(30);

    /** Longer than a call of the saga may take. */
    private static final Duration ANSWER = Duration.ofSeconds(40);

    /** A compensation is a call of some milliseconds; one that fails at first is asked again after a second. */
    private static final Duration END = Duration.ofSeconds(30);

    private static final Duration POLL = Duration.ofMillis(100);

    private final URI booking;
    private final URI alpha;
    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();

    private Demo(URI booking, URI alpha) {
        this.booking = booking;
        this.alpha = alpha;
    }

    /** Takes the HTTP addresses of alpha, booking, and the services that it calls. */
    public static void main(String[] args) throws IOException, InterruptedException {
        List<URI> addresses = List.of(args).stream().map(URI::create).toList();
        Demo demo = new Demo(addresses.get(1), addresses.get(0));
        for (URI service : addresses.subList(1, addresses.size())) {
            demo.require("the service at " + service + " to be connected to alpha", CONNECT, () -> demo.isUp(service));
        }
        boolean committed = demo.book("Ann books 2 cars and 1 room.", "ann", 2, 1, 200, "COMMITTED");
        boolean undone = demo.book("Bob books 1 car and 11 rooms; the hotel has 10.", "bob", 1, 11, 409, "COMPENSATED");
        System.exit(committed && undone ? 0 : 1);
    }

    private boolean book(String story, String name, int cars, int rooms, int status, String end)
            throws IOException, InterruptedException {
        String order = "{\"name\":\"%s\",\"cars\":%d,\"rooms\":%d}".formatted(name, cars, rooms);
        HttpResponse<String> response = http.send(
                HttpRequest.newBuilder(booking.resolve("/trips"))
                        .timeout(ANSWER)
                        .header("Content-Type", "application/json")
                        .POST(HttpRequest.BodyPublishers.ofString(order))
                        .build(),
                BodyHandlers.ofString());
        JsonNode answer = JSON.readTree(response.body());
        String detail = answer.path("detail").asString("");
        System.out.printf("%n%s%nThe answer is %d. %s%n", story, response.statusCode(), detail);
        String saga = answer.path("saga").asString("");
        if (response.statusCode() != status || saga.isEmpty()) {
            System.out.printf("The answer should be %d and name a saga, but is: %s%n", status, response.body());
            return false;
        }
        require("saga " + saga + " to end", END, () -> saga(saga).hasNonNull("endedAt"));
        JsonNode ended = saga(saga);
        System.out.print(new Timeline(ended));
        System.out.printf("Look at it: %s%n", alpha.resolve("/sagas/" + saga));
        return ended.path("state").asString("").equals(end);
    }

    private JsonNode saga(String id) {
        return get(alpha.resolve("/api/v1/sagas/" + id));
    }

    private boolean isUp(URI service) {
        return get(service.resolve("/actuator/health"))
                .path("status")
                .asString("")
                .equals("UP");
    }

    private JsonNode get(URI address) {
        try {
            HttpRequest request =
                    HttpRequest.newBuilder(address).timeout(ANSWER).build();
            return JSON.readTree(http.send(request, BodyHandlers.ofString()).body());
        } catch (IOException e) {
            throw new IllegalStateException(address + " does not answer: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking " + address + ".", e);
        }
    }

    private void require(String what, Duration within, BooleanSupplier condition) {
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
