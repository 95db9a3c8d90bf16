package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.alphaomega.saga.Policy;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.core.NestedExceptionUtils;

class AlphaPropertiesTest {

    @Test
    void without_any_property_sagas_are_as_patient_as_the_rules_say() {
        assertThat(bound(Map.of()).saga().policy()).isEqualTo(Policy.DEFAULT);
    }

    @Test
    void without_any_property_everything_listens_on_the_loopback_only() {
        AlphaProperties properties = bound(Map.of());

        assertThat(properties.grpc().host()).isEqualTo("127.0.0.1");
        assertThat(properties.cluster().host()).isEqualTo("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "alpha.rehearsal.share, 1.5, 'alpha.rehearsal.share must be 0 to 1, such as 0.05 but was ''1.5''.'",
        "alpha.webhook.url, ftp://h/x, 'alpha.webhook.url must be an address such as https://alerts.example.com/alpha,"
                + " without a user.'",
        "alpha.webhook.url, https://h/x, 'alpha.webhook.url must be at one of alpha.webhook.allowed-hosts, [] but was"
                + " ''h''.'",
        "alpha.console.trace-url, http://traces/trace, 'alpha.console.trace-url must be an address of http or https"
                + " without a user, percent-encoded, with {traceId} behind the host, such as"
                + " http://localhost:16686/trace/{traceId}.'",
        "alpha.console.trace-url, javascript:alert('{traceId}'), 'alpha.console.trace-url must be an address of http"
                + " or https without a user, percent-encoded, with {traceId} behind the host, such as"
                + " http://localhost:16686/trace/{traceId}.'",
        "alpha.console.trace-url, http://{traceId}/, 'alpha.console.trace-url must be an address of http or https"
                + " without a user, percent-encoded, with {traceId} behind the host, such as"
                + " http://localhost:16686/trace/{traceId}.'",
        "alpha.console.log-url, http://logs/{sagaId}/{traceId}, 'alpha.console.log-url must be an address of http or"
                + " https without a user, percent-encoded, with {sagaId} behind the host, such as"
                + " https://logs.example.com/search?q=sagaId%3A%22{sagaId}%22.'",
        "alpha.console.log-url, https://ann:secret@logs/{sagaId}, 'alpha.console.log-url must be an address of http or"
                + " https without a user, percent-encoded, with {sagaId} behind the host, such as"
                + " https://logs.example.com/search?q=sagaId%3A%22{sagaId}%22.'",
        "alpha.rehearsal.share, NaN, 'alpha.rehearsal.share must be 0 to 1, such as 0.05 but was ''NaN''.'",
        "alpha.grpc.port, -1, 'alpha.grpc.port must be a port, 0 to 65535 but was ''-1''.'",
        "alpha.grpc.ssl.client-auth, need, 'alpha.grpc.ssl.client-auth must be none without alpha.grpc.ssl.bundle, but"
                + " was ''need''.'",
        "alpha.grpc.host, ' ', 'alpha.grpc.host must be some text but was '' ''.'",
        "alpha.cluster.port, 65536, 'alpha.cluster.port must be a port, 0 to 65535 but was ''65536''.'",
        "alpha.cluster.name, a b, 'alpha.cluster.name must be letters, digits, - and _, beginning with a letter or"
                + " digit but was ''a b''.'",
        "alpha.cluster.seed-nodes, nonsense, 'alpha.cluster.seed-nodes must be a list of host:port but was"
                + " ''nonsense''.'",
        "alpha.cluster.stable-after, 100ms, 'alpha.cluster.stable-after must be at least 500ms but was ''100ms''.'",
        "alpha.cluster.discovery.method, config, 'alpha.cluster.discovery.nodes must be a list of host:port with"
                + " alpha.cluster.discovery.method=config but was ''''.'",
        "alpha.cluster.discovery.method, dns, 'alpha.cluster.discovery.method must be none with"
                + " alpha.repository.type=embedded, which serves one node only, but was ''dns''.'",
        "alpha.saga.timeout, 0s, 'alpha.saga.timeout must be more than 0 and at most 30d but was ''0s''.'",
        "alpha.saga.timeout, 31d, 'alpha.saga.timeout must be more than 0 and at most 30d but was ''31d''.'",
        "alpha.saga.timeout, 1500us, 'alpha.saga.timeout must be in whole milliseconds but was ''PT0.0015S''.'",
        "alpha.saga.branch-timeout, -5ms, 'alpha.saga.branch-timeout must be more than 0 and at most 30d but was"
                + " ''-5ms''.'",
        "alpha.saga.callback-attempts, 101, 'alpha.saga.callback-attempts must be 1 to 100 but was ''101''.'",
        "alpha.saga.callback-max-delay, 500ms, 'alpha.saga.callback-max-delay must be at least"
                + " alpha.saga.callback-first-delay, 1s but was ''500ms''.'",
        "alpha.saga.start-grace, -1s, 'alpha.saga.start-grace must be 0 to 30d but was ''-1s''.'",
        "alpha.retention.ended, -1s, 'alpha.retention.ended must be 0, for ever, or at most 3650d but was ''-1s''.'",
        "alpha.retention.tombstones, 6d, 'alpha.retention.tombstones must be at least alpha.retention.ended, 7d but"
                + " was ''6d''.'",
        "alpha.retention.interval, 0s, 'alpha.retention.interval must be more than 0 and at most 30d but was ''0s''.'",
        "alpha.retention.batch, 0, 'alpha.retention.batch must be 1 to 10000 but was ''0''.'",
        "alpha.repository.await-at-start, 2h, 'alpha.repository.await-at-start must be 0 to 1h but was ''7200s''.'",
        "alpha.repository.embedded.directory, '', 'alpha.repository.embedded.directory must be some text but was"
                + " ''''.'",
    })
    void nonsense_is_refused_with_the_name_of_the_property(String property, String value, String sentence) {
        assertThat(refusal(Map.of(property, value))).isEqualTo(sentence);
    }

    @Test
    void what_is_kept_for_0_is_kept_for_ever() {
        RetentionProperties forEver =
                bound(Map.of("alpha.retention.ended", "0")).retention();
        assertThat(forEver.purges()).isFalse();
        assertThat(forEver.forgets()).isFalse();

        RetentionProperties outcomes =
                bound(Map.of("alpha.retention.tombstones", "0")).retention();
        assertThat(outcomes.purges()).isTrue();
        assertThat(outcomes.forgets()).isFalse();
    }

    @Test
    void an_index_beside_an_index_is_refused() {
        assertThat(refusal(Map.of("alpha.repository.type", "elasticsearch", "alpha.search.type", "elasticsearch")))
                .isEqualTo("alpha.search.type must be journal with alpha.repository.type=elasticsearch, where sagas are"
                        + " searched in their journals' own index, but was 'elasticsearch'.");
    }

    @Test
    void the_embedded_store_refuses_seed_nodes_because_it_serves_one_node() {
        assertThat(refusal(Map.of("alpha.cluster.seed-nodes", "a:8070,b:8070")))
                .isEqualTo(
                        "alpha.cluster.seed-nodes must be empty with alpha.repository.type=embedded, which serves one"
                                + " node only, but was a:8070,b:8070.");
    }

    @ParameterizedTest
    @CsvSource({
        "alpha.cluster.host, alpha_1, alpha_1",
        "alpha.cluster.host, stack_alpha.internal, stack_alpha.internal",
        "alpha.cluster.host, alpha-, alpha-",
        "alpha.cluster.host, node.1a, node.1a",
        "alpha.cluster.host, münchen, münchen",
        "alpha.cluster.seed-nodes, 'alpha-1:8070,alpha_2:8070', alpha_2",
        "alpha.cluster.discovery.nodes, alpha_2:8558, alpha_2",
        "alpha.webhook.url, https://alerts_1/x, alerts_1",
        "alpha.webhook.console, http://my_alpha:8090/console, my_alpha",
        "alpha.console.trace-url, http://my_jaeger:16686/trace/{traceId}, my_jaeger",
        "alpha.console.log-url, https://ann:secret@my_logs/{sagaId}, my_logs",
    })
    void a_host_that_fits_into_no_uri_is_named(String property, String value, String host) {
        assertThat(refusal(Map.of(property, value)))
                .startsWith(property + " has the host '" + host + "', which fits into no URI")
                .contains("such as an alias in the network of its container")
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @CsvSource({
        "alpha.cluster.host, alpha-1.alpha.svc.cluster.local",
        "alpha.cluster.host, 3f2a9c",
        "alpha.cluster.host, '::1'",
        "alpha.grpc.host, stack_alpha",
    })
    void a_host_that_can_be_used_is_accepted(String property, String value) {
        assertThat(bound(Map.of(property, value))).isNotNull();
    }

    private static String refusal(Map<String, String> properties) {
        Throwable thrown = catchThrowable(() -> bound(properties));
        assertThat(thrown).isNotNull();
        Throwable root = NestedExceptionUtils.getMostSpecificCause(thrown);
        assertThat(root).isInstanceOf(RefusedPropertyException.class);
        return String.valueOf(root.getMessage());
    }

    private static AlphaProperties bound(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties)).bindOrCreate("alpha", AlphaProperties.class);
    }
}
