package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

@ExtendWith(OutputCaptureExtension.class)
class ServiceLinksTest {
    @ParameterizedTest
    @CsvSource({
        "ALPHA_GRPC_PORT, alpha.grpc.port, alpha-grpc",
        "ALPHA_CLUSTER_PORT, alpha.cluster.port, alpha-cluster",
        "ALPHA_CLUSTER_DISCOVERY_PORT, alpha.cluster.discovery.port, alpha-cluster-discovery",
        "SERVER_PORT, server.port, server",
        "MANAGEMENT_SERVER_PORT, management.server.port, management-server",
    })
    void what_kubernetes_says_of_a_service_is_no_property_of_that_name(
            String variable, String property, String service, CapturedOutput log) {
        StandardEnvironment environment =
                environment(Map.of(variable, "tcp://10.96.0.7:8071", "ALPHA_GRPC_HOST", "::1"));

        ServiceLinks.ignore(environment);

        assertThat(Binder.get(environment).bind(property, String.class).isBound())
                .isFalse();
        assertThat(environment.getProperty("alpha.grpc.host"))
                .as("what an operator says")
                .isEqualTo("::1");
        assertThat(log.getOut())
                .contains("Ignoring %s=tcp://10.96.0.7:8071: Kubernetes says it of a service named %s, and it is no %s."
                        .formatted(variable, service, property));
    }

    @Test
    void a_port_is_one_and_what_means_nothing_is_left_alone(CapturedOutput log) {
        Map<String, Object> variables = Map.of(
                "ALPHA_GRPC_PORT", "8072", "ALPHA_PORT", "tcp://10.96.0.7:8071", "ORDERS_PORT", "tcp://10.96.0.8:80");
        StandardEnvironment environment = environment(variables);

        ServiceLinks.ignore(environment);

        assertThat(Binder.get(environment).bind("alpha.grpc.port", int.class).get())
                .isEqualTo(8072);
        assertThat(log.getOut()).doesNotContain("Ignoring");
    }

    private static StandardEnvironment environment(Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        String name = StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME;
        environment
                .getPropertySources()
                .replace(name, new SystemEnvironmentPropertySource(name, new HashMap<>(variables)));
        ConfigurationPropertySources.attach(environment);
        return environment;
    }
}
