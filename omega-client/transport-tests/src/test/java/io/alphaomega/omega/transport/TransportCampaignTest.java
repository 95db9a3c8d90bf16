package io.alphaomega.omega.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.transport.TransportCampaign.Report;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Every transport while those are killed who use it. */
@Tag("processes")
@Tag("long")
class TransportCampaignTest {
    private static final int BLOWS = Integer.getInteger("campaign.blows", 60);
    private static final long SEED = Long.getLong("campaign.seed", System.nanoTime());

    @Test
    void no_order_is_torn_whatever_is_killed() {
        System.out.println("-Dcampaign.seed=" + SEED);
        try (TransportCampaign campaign = new TransportCampaign(SEED)) {
            Report report = campaign.run(BLOWS);
            System.out.println("Committed " + report.committed() + ", undone " + report.undone());
            assertThat(report.violations()).isEmpty();
            assertThat(report.committed()).containsOnlyKeys(CalledBy.values());
            assertThat(report.undone()).containsOnlyKeys(CalledBy.values());
        }
    }

    /** Without omega the stock does what it is asked, and nobody undoes it. */
    @Test
    void the_audit_finds_a_service_that_takes_no_part() {
        try (TransportCampaign campaign = new TransportCampaign(SEED, "--omega.enabled=false")) {
            assertThat(campaign.run(1).violations()).isNotEmpty();
        }
    }
}
