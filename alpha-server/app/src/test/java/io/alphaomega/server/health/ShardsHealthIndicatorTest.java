package io.alphaomega.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.server.node.ShardHomes;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

class ShardsHealthIndicatorTest {
    @Test
    void a_node_says_how_many_shards_have_no_home_yet() {
        Health health = new ShardsHealthIndicator(new ShardHomes()).health();
        assertThat(health.getStatus()).isEqualTo(Status.DOWN);
        assertThat(health.getDetails().get("reason"))
                .asString()
                .startsWith("100 of 100 shards of the sagas have no home yet");
    }
}
