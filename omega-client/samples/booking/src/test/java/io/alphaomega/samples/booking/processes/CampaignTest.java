package io.alphaomega.samples.booking.processes;

import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Alpha and the services are killed again and again under load. */
@Tag("processes")
@Tag("long")
@ExtendWith(StageExtension.class)
class CampaignTest {
    private static final int KILLS = 220;

    /** Every n-th kill takes a service along. */
    private static final int SERVICE_KILLED_EVERY = 5;

    private final Stage stage;

    CampaignTest(Stage stage) {
        this.stage = stage;
    }

    @Test
    void nothing_acknowledged_is_missing_and_nothing_is_torn_after_hundreds_of_kills() {
        String what = "%d kills of alpha, %d of services".formatted(KILLS, KILLS / SERVICE_KILLED_EVERY);
        new Campaign("campaign", stage).survive(KILLS, what, (number, random) -> {
            List<Node> services = List.of(stage.booking, stage.car, stage.hotel);
            if (number % SERVICE_KILLED_EVERY == 0)
                services.get(random.nextInt(services.size())).kill();
            stage.alpha.kill();
            stage.recover();
        });
    }
}
