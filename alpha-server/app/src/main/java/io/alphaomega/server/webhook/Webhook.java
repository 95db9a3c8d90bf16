package io.alphaomega.server.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.retry.RetryException;
import org.springframework.core.retry.RetryPolicy;
import org.springframework.core.retry.RetryTemplate;
import tools.jackson.databind.json.JsonMapper;

/**
 * Posts messages, one after the other, each until it is taken or given up. Signed as <a
 * href="https://www.standardwebhooks.com">Standard Webhooks</a> says: {@code webhook-id}, {@code webhook-timestamp} and
 * {@code webhook-signature}, which is {@code v1,} and the HMAC-SHA256 of the id, the timestamp and the body, with dots in
 * between, in Base64. No redirect is followed.
 */
final class Webhook implements Consumer<Suspensions.Message>, AutoCloseable {
    /** A message is of all that one look has found, so this is minutes of them; the console has what is dropped. */
    static final int WAITING_MAX = 100;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

    private static final int TOO_MANY_REQUESTS = 429;
    private static final int REQUEST_TIMEOUT = 408;

    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);

    /** The receiver has not taken it, and may when it comes again. */
    private static final class NotTakenException extends RuntimeException {
        private static final long serialVersionUID = 1;

        NotTakenException(String found) {
            super(found);
        }
    }

    /** The receiver will never take it. */
    private static final class RefusedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        RefusedException(String found) {
            super(found);
        }
    }

    /**
     * Who is told.
     *
     * @param key that messages are signed with
     * @param timeout how long an answer may take
     * @param giveUpAfter how long a message that fails is sent again
     */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares receivers.
    record Receiver(URI url, byte[] key, Duration timeout, Duration giveUpAfter) {}

    private final Receiver receiver;
    private final Clock clock;
    private final JsonMapper json;
    private final Counter delivered;
    private final Counter lost;
    private final HttpClient client;
    private final RetryTemplate retries;
    private final ThreadPoolExecutor sending;

    Webhook(Receiver receiver, Clock clock, JsonMapper json, MeterRegistry registry) {
        this(receiver, clock, json, registry, FIRST_PAUSE);
    }

    Webhook(Receiver receiver, Clock clock, JsonMapper json, MeterRegistry registry, Duration firstPause) {
        this.receiver = receiver;
        this.clock = clock;
        this.json = json;
        this.delivered = counter(registry, "delivered");
        this.lost = counter(registry, "lost");
        this.client = HttpClient.newBuilder()
                .connectTimeout(receiver.timeout())
                .followRedirects(HttpClient.Redirect.NEVER)
                .build();
        this.retries = new RetryTemplate(RetryPolicy.builder()
                .maxRetries(Long.MAX_VALUE)
                .timeout(receiver.giveUpAfter())
                .delay(firstPause)
                .multiplier(2)
                .maxDelay(LONGEST_PAUSE)
                .excludes(RefusedException.class, InterruptedException.class)
                .build());
        this.sending = new ThreadPoolExecutor(
                1,
                1,
                0,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING_MAX),
                Thread.ofVirtual().name("webhook-", 1).factory(),
                (task, executor) -> lost("the %d before it wait for the receiver".formatted(WAITING_MAX)));
    }

    private static Counter counter(MeterRegistry registry, String outcome) {
        return Counter.builder("alpha.webhook.messages")
                .description("Messages about suspended sagas, by what became of them")
                .tag("outcome", outcome)
                .register(registry);
    }

    /** Returns at once. */
    @Override
    public void accept(Suspensions.Message message) {
        byte[] body = json.writeValueAsBytes(message);
        sending.execute(() -> deliver(message, body));
    }

    private void deliver(Suspensions.Message message, byte[] body) {
        try {
            retries.execute(() -> {
                post(message.id(), body);
                return message.id();
            });
            delivered.increment();
        } catch (RetryException e) {
            if (!sending.isShutdown()) lost(String.valueOf(e.getCause()));
        }
    }

    private void lost(String why) {
        lost.increment();
        LOG.error("A message to {} about suspended sagas is lost: {}.", receiver.url(), why);
    }

    private void post(String id, byte[] body) throws IOException, InterruptedException {
        String timestamp = Long.toString(clock.instant().getEpochSecond());
        HttpRequest request = HttpRequest.newBuilder(receiver.url())
                .timeout(receiver.timeout())
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", "v1," + signature(receiver.key(), id, timestamp, body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        int status =
                client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
        if (status >= 200 && status < 300) return;
        String found = "it answered with the status " + status;
        boolean mayBeTaken = status >= 500 || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
        throw mayBeTaken ? new NotTakenException(found) : new RefusedException(found);
    }

    static String signature(byte[] key, String id, String timestamp, byte[] body) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(mac.doFinal(body));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("Every Java has HmacSHA256.", e);
        }
    }

    /** What is not sent yet is not. */
    @Override
    public void close() {
        sending.shutdownNow();
        client.close();
    }
}
