package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.OmegaProperties;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;

/** Keeps the fence's table: creates it at start, and deletes rows that nobody can need any more. */
public final class FenceKeeper implements InitializingBean, DisposableBean {
    private static final Logger log = LoggerFactory.getLogger(FenceKeeper.class);

    /** Rows deleted in one transaction: short enough not to be in the business's way. */
    private static final int PURGE_ROWS = 500;

    private final String manager;
    private final FenceTable table;
    private final OmegaProperties.Fence properties;
    private final Clock clock;
    private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "omega-fence-purge");
        thread.setDaemon(true);
        return thread;
    });

    /** @param manager the bean name of the transaction manager, by which people know the database */
    FenceKeeper(String manager, FenceTable table, OmegaProperties.Fence properties, Clock clock) {
        this.manager = manager;
        this.table = table;
        this.properties = properties;
        this.clock = clock;
    }

    @Override
    public void afterPropertiesSet() {
        if (properties.createTable()) createTable();
        else requireTable();
        Duration interval = properties.purgeInterval();
        ScheduledFuture<?> unused = scheduler.scheduleWithFixedDelay(
                this::purge, interval.toMillis(), interval.toMillis(), TimeUnit.MILLISECONDS);
    }

    FenceTable table() {
        return table;
    }

    @Override
    public void destroy() {
        scheduler.shutdownNow();
    }

    private void createTable() {
        try {
            table.create();
            table.identify();
        } catch (Exception e) {
            throw new OmegaConfigurationException(
                    "The fence's table cannot be created in the database of '%s': %s"
                            .formatted(manager, e.getMessage()),
                    "Let the database user create tables, or create it yourself (docs/client/fence.md) and set"
                            + " omega.fence.create-table to false, or do without the fence: omega.fence.enabled = false.");
        }
    }

    private void requireTable() {
        Optional<String> missing;
        try {
            missing = table.missing();
            if (missing.isEmpty()) {
                table.identify();
                return;
            }
        } catch (Exception e) {
            // Away, or nobody has said yet which of several: branches will ask it.
            log.warn(
                    "Whether the fence's table is there in the database of '{}' could not be found out: {}",
                    manager,
                    e.toString());
            return;
        }
        throw new OmegaConfigurationException(
                "The database of '%s' has no fence. %s".formatted(manager, missing.get()),
                "Create the table, or set omega.fence.create-table to true, or do without the fence: omega.fence.enabled"
                        + " = false.");
    }

    /** Deletes what is old; what fails is tried again at the next time. */
    public void purge() {
        Instant before = clock.instant().minus(properties.retention());
        try {
            int deleted = 0;
            int batch;
            do {
                batch = table.purge(before, PURGE_ROWS);
                deleted += batch;
            } while (batch == PURGE_ROWS && !Thread.currentThread().isInterrupted());
            if (deleted > 0) {
                log.info(
                        "Deleted {} fence rows older than {} in the database of '{}'.",
                        deleted,
                        properties.retention(),
                        manager);
            }
        } catch (Exception e) {
            log.warn(
                    "Old fence rows in the database of '{}' could not be deleted; the next try is in {}.",
                    manager,
                    properties.purgeInterval(),
                    e);
        }
    }
}
