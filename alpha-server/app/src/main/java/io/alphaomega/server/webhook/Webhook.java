package io.alphaomega.server.webhook;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
 * Posts messages, a few at a time, each until it is taken or given up. Signed as <a
 * href="https://www.standardwebhooks.com">Standard Webhooks</a> says: {@code webhook-id}, {@code webhook-timestamp} and
 * {@code webhook-signature}, which is {@code v1,} and the HMAC-SHA256 of the id, the timestamp and the body, with dots in
 * between, in Base64. No redirect is followed.
 */
final class Webhook implements Consumer<Suspensions.Message>, AutoCloseable {
    /** A message is of all that one look has found, so this is minutes of them; the console has what is dropped. */
    static final int WAITING_MAX = 100;

    /** One that is not taken holds up no other, until there are four. */
    private static final int AT_A_TIME = 4;

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

    private final Optional<Receiver> receiver;
    private final Clock clock;
    private final JsonMapper json;
    private final Duration firstPause;
    private final Counter delivered;
    private final Counter lost;
    private final Optional<HttpClient> client;
    private final ThreadPoolExecutor sending;

    /** @param receiver empty: whatever is accepted goes nowhere */
    Webhook(Optional<Receiver> receiver, Clock clock, JsonMapper json, MeterRegistry registry) {
        this(receiver, clock, json, registry, FIRST_PAUSE);
    }

    Webhook(Optional<Receiver> receiver, Clock clock, JsonMapper json, MeterRegistry registry, Duration firstPause) {
        this.receiver = receiver;
        this.clock = clock;
        this.json = json;
        this.firstPause = firstPause;
        // It has a thread of its own, which nobody needs who tells nobody.
        this.client = receiver.map(to -> HttpClient.newBuilder()
                .followRedirects(HttpClient.Redirect.NEVER)
                .build());
        this.delivered = counter(registry, "delivered");
        this.lost = counter(registry, "lost");
        this.sending = new ThreadPoolExecutor(
                AT_A_TIME,
                AT_A_TIME,
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

    boolean isOn() {
        return receiver.isPresent();
    }

    /** Returns at once. */
    @Override
    public void accept(Suspensions.Message message) {
        byte[] body = json.writeValueAsBytes(message);
        receiver.ifPresent(to -> sending.execute(() -> deliver(to, message, body)));
    }

    private void deliver(Receiver to, Suspensions.Message message, byte[] body) {
        try {
            retries(to, message).execute(() -> {
                post(to, message.id(), body);
                return message.id();
            });
            delivered.increment();
        } catch (RetryException e) {
            lost(
                    sending.isShutdown()
                            ? "this node stops"
                            : String.valueOf(e.getCause().getMessage()));
        }
    }

    /** However long it has waited for its turn, it is tried once. */
    private RetryTemplate retries(Receiver to, Suspensions.Message message) {
        Duration left = Duration.between(clock.instant(), message.at().plus(to.giveUpAfter()));
        return new RetryTemplate(RetryPolicy.builder()
                .maxRetries(left.isPositive() ? Long.MAX_VALUE : 0)
                .timeout(left.isPositive() ? left : Duration.ZERO)
                .delay(firstPause)
                .multiplier(2)
                .maxDelay(LONGEST_PAUSE)
                .excludes(RefusedException.class, InterruptedException.class)
                .build());
    }

    private void lost(String why) {
        lost.increment();
        // Its path may be as secret as a password.
        String host = receiver.map(to -> to.url().getHost()).orElse("nobody");
        LOG.error("A message to {} about suspended sagas is lost: {}.", host, why);
    }

    private void post(Receiver to, String id, byte[] body) throws InterruptedException {
        String timestamp = Long.toString(clock.instant().getEpochSecond());
        HttpRequest request = HttpRequest.newBuilder(to.url())
                .header("Content-Type", "application/json")
                .header("webhook-id", id)
                .header("webhook-timestamp", timestamp)
                .header("webhook-signature", "v1," + signature(to.key(), id, timestamp, body))
                .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                .build();
        int status = status(request, to.timeout());
        if (status >= 200 && status < 300) return;
        String found = "it answered with the status " + status;
        boolean mayBeTaken = status >= 500 || status == REQUEST_TIMEOUT || status == TOO_MANY_REQUESTS;
        throw mayBeTaken ? new NotTakenException(found) : new RefusedException(found);
    }

    /** Of the whole answer: a request's own time limit ends when its headers are there. */
    private int status(HttpRequest request, Duration within) throws InterruptedException {
        var answer = client.orElseThrow().sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            return answer.get(within.toMillis(), TimeUnit.MILLISECONDS).statusCode();
        } catch (TimeoutException e) {
            throw new NotTakenException("no answer within %d ms".formatted(within.toMillis()));
        } catch (ExecutionException e) {
            throw new NotTakenException(String.valueOf(e.getCause()));
        } finally {
            answer.cancel(true);
        }
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

    /** What is not sent yet is lost, and said to be. */
    @Override
    public void close() {
        sending.shutdownNow().forEach(waiting -> lost("this node stops"));
        client.ifPresent(HttpClient::shutdownNow);
    }
}
