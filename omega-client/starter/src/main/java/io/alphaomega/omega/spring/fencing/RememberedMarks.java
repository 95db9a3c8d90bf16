package io.alphaomega.omega.spring.fencing;

import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.protocol.v1.Hello;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;

/**
 * Keeps how far alpha's store has come in the tables of this service's fences, so that a store which is set back is noticed
 * although every process has been restarted since. The instances of a service share what they have seen. A database that
 * is away does no harm: what it lacks is stored the next time.
 */
public final class RememberedMarks {
    /** As much of what was seen is lost with a process at most. */
    static final Duration EVERY = Duration.ofMinutes(1);

    /** A database that takes longer keeps the service neither from starting nor from stopping. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger log = LoggerFactory.getLogger(RememberedMarks.class);

    private final AlphaClient alpha;
    private final ObjectProvider<Fences<?>> fences;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "omega-marks");
        thread.setDaemon(true);
        return thread;
    });

    public RememberedMarks(AlphaClient alpha, ObjectProvider<Fences<?>> fences) {
        this.alpha = alpha;
        this.fences = fences;
    }

    /** Before the client introduces this instance. */
    public void start() {
        exchangeNow();
        long every = EVERY.toMillis();
        ScheduledFuture<?> unused =
                scheduler.scheduleWithFixedDelay(this::exchange, every, every, TimeUnit.MILLISECONDS);
    }

    public void stop() {
        exchangeNow();
        scheduler.shutdownNow();
    }

    private void exchangeNow() {
        try {
            CompletableFuture.runAsync(this::exchange, scheduler).get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException e) {
            log.debug("The database is slow to say how far alpha's store has come.", e);
        }
    }

    private void exchange() {
        fences.stream()
                .flatMap(each -> each.all().stream())
                .forEach(each -> exchange(each.manager(), each.keeper().table()));
    }

    private static Hello seen(String manager, byte[] stored) {
        try {
            return Hello.parseFrom(stored);
        } catch (InvalidProtocolBufferException e) {
            log.warn(
                    "How far alpha's store had come cannot be read in the database of '{}'; it is written anew.",
                    manager);
            return Hello.getDefaultInstance();
        }
    }

    /** Takes what others have seen, and gives them what this instance has. */
    private void exchange(String manager, FenceTable table) {
        try {
            Hello stored = seen(manager, table.remembered().orElse(new byte[0]));
            alpha.remember(stored.getSeenList());
            Hello known = Hello.newBuilder().addAllSeen(alpha.seen()).build();
            if (Set.copyOf(known.getSeenList()).equals(Set.copyOf(stored.getSeenList()))) return;
            table.remember(known.toByteArray());
        } catch (Exception e) {
            log.debug("How far alpha's store has come could not be kept in the database of '{}'.", manager, e);
        }
    }
}
