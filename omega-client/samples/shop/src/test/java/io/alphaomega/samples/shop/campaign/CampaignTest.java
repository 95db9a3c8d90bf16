package io.alphaomega.samples.shop.campaign;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A shop goes on while its services, their databases, its broker, alphas and their store die and stand still, and alphas are
 * cut off. By system properties: {@code campaign.seed}; {@code campaign.blows}; and {@code campaign.minutes}, after which
 * none is struck any more.
 */
@Tag("processes")
@Tag("long")
class CampaignTest {
    private static final long SEED = Long.getLong("campaign.seed", 20_261_126);

    /** About half an hour. */
    private static final int BLOWS = Integer.getInteger("campaign.blows", 2 * Blow.round());

    private static final Duration LIMIT = Duration.ofMinutes(Long.getLong("campaign.minutes", 120));

    @Test
    void every_order_is_done_once_and_whole_or_undone_whatever_dies() {
        try (Stage stage = new Stage("all", null).start()) {
            List<String> findings = new Campaign("all", SEED, stage).survive(Blow.schedule(SEED, BLOWS), LIMIT);
            assertThat(findings).isEmpty();
        }
    }

    /** A campaign that finds nothing proves nothing, unless it is known to find what is there. */
    @ParameterizedTest
    @EnumSource
    void the_campaign_finds(PlantedBug bug) {
        try (Stage stage = new Stage(bug.name(), bug).start()) {
            List<String> findings = new Campaign(bug.name(), SEED, stage).survive(bug.blows(), LIMIT);
            assertThat(findings).as("findings").anyMatch(bug.found.asMatchPredicate());
        }
    }
}
