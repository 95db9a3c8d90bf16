package io.alphaomega.samples.booking.processes;

import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.booking.processes.StoreBeneath.Kind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Alpha and the store beneath it are killed in turns under load. */
@Tag("processes")
@Tag("long")
class StoreCampaignTest {
    private static final int KILLS_OF_EACH = 50;

    /** From an outage that nobody notices to one in which every caller is refused. */
    private static final Duration AWAY_MAX = Duration.ofSeconds(2);

    /** Each store, or the one that {@code -Dcampaign.store} names. */
    static List<Kind> stores() {
        String one = System.getProperty("campaign.store");
        return one == null ? List.of(Kind.values()) : List.of(Kind.valueOf(one));
    }

    @ParameterizedTest
    @MethodSource("stores")
    void nothing_acknowledged_is_missing_and_nothing_is_torn_after_fifty_kills_of_each(Kind kind) {
        String what = "%d kills of the store, %d of alpha".formatted(KILLS_OF_EACH, KILLS_OF_EACH);
        try (StoreBeneath store = kind.start();
                Stage stage = new Stage("on " + kind, store.alpha()).start()) {
            new Campaign("campaign on " + kind, stage).survive(2 * KILLS_OF_EACH, what, (number, random) -> {
                if (number % 2 == 0) {
                    stage.alpha.kill();
                    stage.recover();
                } else {
                    List<ServerProcess> processes = store.processes();
                    ServerProcess struck = processes.get(random.nextInt(processes.size()));
                    struck.kill();
                    LockSupport.parkNanos(random.nextLong(AWAY_MAX.toNanos()));
                    struck.start();
                }
            });
        }
    }
}
