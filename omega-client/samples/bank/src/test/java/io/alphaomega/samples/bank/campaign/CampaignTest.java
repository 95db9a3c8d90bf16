package io.alphaomega.samples.bank.campaign;

import io.alphaomega.samples.bank.campaign.Blow.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A bank goes on while its coordinators die, stand still and lose each other. By system properties: {@code campaign.seed};
 * {@code campaign.blows}, how many of the long campaign's are struck; {@code campaign.minutes}, after which none is struck
 * any more; {@code campaign.store}, REDIS or MARIADB; {@code campaign.databases}, MARIADB or MYSQL, those of the bank; and
 * {@code campaign.balanced}, whether a load balancer stands in front.
 */
@Tag("campaign")
@Tag("long")
class CampaignTest {
    private static final long SEED = Long.getLong("campaign.seed", 20_261_120);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(40);

    /** About an hour; some more of those of which a hundred or fifty are wanted. */
    private static final Map<Kind, Integer> LONG = Map.of(
            Kind.KILL, 112,
            Kind.PAUSE, 56,
            Kind.PARTITION, 60,
            Kind.ROLLING_RESTART, 3,
            Kind.STORE_KILL, 6,
            Kind.STORE_PAUSE, 4,
            Kind.STORE_SLOW, 4,
            Kind.SERVICE_KILL, 6,
            Kind.SERVICE_PAUSE, 5);

    private static final Duration LIMIT = Duration.ofMinutes(Long.getLong("campaign.minutes", 180));

    @Test
    void nothing_is_lost_torn_or_decided_twice_after_hundreds_of_blows_of_every_kind() {
        List<Blow> all = Blow.schedule(SEED, LONG, PAUSE_MAX);
        survive("long", all.subList(0, Math.min(all.size(), Integer.getInteger("campaign.blows", all.size()))));
    }

    @Test
    void nobody_notices_that_nodes_are_restarted_one_after_the_other() {
        survive("rolling", Blow.schedule(SEED, Map.of(Kind.ROLLING_RESTART, 5), PAUSE_MAX));
    }

    private static void survive(String name, List<Blow> blows) {
        Store.Type store = Store.Type.valueOf(System.getProperty("campaign.store", "REDIS"));
        boolean balanced = Boolean.parseBoolean(System.getProperty("campaign.balanced", "true"));
        Stage.Databases databases =
                Stage.Databases.valueOf(System.getProperty("campaign.databases", Stage.Databases.MARIADB.name()));
        try (Stage stage = new Stage(name, store, databases, balanced).start()) {
            new Campaign(name, SEED, stage).survive(blows, LIMIT);
        }
    }
}
