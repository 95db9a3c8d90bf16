package io.alphaomega.repository.campaign;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.Health;
import io.alphaomega.repository.RepositoryUnavailableException;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.repository.servers.Patience;
import io.alphaomega.repository.servers.TmpfsDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A disk that takes no more is an outage: appends fail by type while it lasts, nothing that was acknowledged is lost,
 * and it is over when there is room; where the server dies of it, when it is started again.
 */
@Timeout(value = 10, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public abstract class FullDiskContract {
    /** A caller of alpha waits ten seconds for an answer, and a machine that is busy with other tests has three times that. */
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    /** Stores allocate their files in advance: this many fill what they have. */
    private static final int APPENDS_MAX = 100_000;

    private static final int EVENTS = 50;
    private static final int FAILURES = 3;

    @TempDir
    Path directory;

    protected abstract StoreOnDisk store();

    /** Room for an empty store and a little more. */
    protected abstract int diskMebibytes();

    /** How soon it works again once there is room: a server may look at its disk now and then only. */
    protected Duration backWithin() {
        return Patience.LIMIT;
    }

    @Test
    final void a_full_disk_is_an_outage_that_ends_with_it() throws Exception {
        if (!TmpfsDisk.isPossible(directory)) {
            System.out.println("No small disk can be mounted here (that takes root), so none can be filled.");
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> TmpfsDisk.blank(directory.resolve("disk"), 1));
            return;
        }
        Ledger ledger = new Ledger();
        StoreOnDisk store = store();
        try (TmpfsDisk disk = TmpfsDisk.blank(directory.resolve("disk"), diskMebibytes());
                StoreOnDisk.Running running = store.start(disk.path().resolve("store"))) {
            try (SagaRepository repository = store.open(running.address())) {
                append(repository, ledger, "before");
                disk.fill();
                fill(repository, ledger);
                disk.free();
                awaitRoom(running, repository, ledger);
                assertThat(ledger.missing(repository))
                        .as("sagas that lost something")
                        .isZero();
            }
            try (SagaRepository reopened = store.open(running.address())) {
                assertThat(ledger.missing(reopened))
                        .as("sagas that lost something, read anew")
                        .isZero();
            }
        }
    }

    private static void fill(SagaRepository repository, Ledger ledger) {
        int failures = 0;
        for (int i = 0; failures < FAILURES; i++) {
            assertThat(i).as("appends that a full disk takes").isLessThan(APPENDS_MAX);
            long asked = System.nanoTime();
            try {
                append(repository, ledger, "s" + i);
            } catch (RepositoryUnavailableException full) {
                failures++;
                assertThat(full).hasMessageMatching("(?s).{10,}");
                assertThat(repository.check()).isInstanceOf(Health.Down.class);
            }
            assertThat(Duration.ofNanos(System.nanoTime() - asked)).isLessThan(DEADLINE.multipliedBy(2));
        }
    }

    private static void append(SagaRepository repository, Ledger ledger, String saga) {
        Append item = Ledger.item(saga, Version.NONE, EVENTS);
        Appended appended = (Appended) repository.append(List.of(item)).getFirst();
        ledger.acknowledge(Ledger.line(List.of(item), List.of(appended.version())));
    }

    private void awaitRoom(StoreOnDisk.Running running, SagaRepository repository, Ledger ledger) {
        int[] attempt = {0};
        Awaitility.await()
                .atMost(backWithin())
                .pollDelay(Duration.ZERO)
                .ignoreExceptionsMatching(RepositoryUnavailableException.class::isInstance)
                .untilAsserted(() -> {
                    running.startAgain();
                    append(repository, ledger, "after-" + attempt[0]++);
                    assertThat(repository.check()).isInstanceOf(Health.Up.class);
                });
    }
}
