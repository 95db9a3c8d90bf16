package io.alphaomega.repository.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lettuce.core.RedisURI;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AddressTest {
    @ParameterizedTest
    @CsvSource({
        "redis://stack_redis:6380, stack_redis, 6380",
        "redis://stack_redis, stack_redis, 6379",
        "redis://ann:secret@stack_redis:6380/1, stack_redis, 6380",
        "redis-cluster://redis-:6380, redis-, 6380",
        "redis://redis.1a:6380, redis.1a, 6380",
        "redis://redis:6380, redis, 6380",
        "rediss://redis.example.org:6380, redis.example.org, 6380",
        "rediss://127.0.0.1:6380, 127.0.0.1, 6380",
    })
    void a_host_and_its_port_are_read_whatever_its_name(String uri, String host, int port) {
        RedisURI server = Address.of(uri).servers().get(0);

        assertThat(server.getHost()).isEqualTo(host);
        assertThat(server.getPort()).isEqualTo(port);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "rediss://ann:secret@stack_redis:6380",
                "rediss://stack_redis",
                "rediss-cluster://redis:6380,stack_redis:6380"
            })
    void with_tls_a_name_that_no_certificate_can_be_for_is_refused(String uri) {
        assertThatThrownBy(() -> Address.of(uri))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("it has the host 'stack_redis', which Java compares with no certificate")
                .hasMessageNotContaining("secret");
    }
}
