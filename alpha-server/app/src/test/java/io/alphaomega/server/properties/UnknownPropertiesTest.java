package io.alphaomega.server.properties;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

class UnknownPropertiesTest {

    @ParameterizedTest
    @CsvSource({
        "alpha.grpc.prot, alpha.grpc.prot is not a property of alpha; did you mean alpha.grpc.port?",
        "alpha.repository.tpye, alpha.repository.tpye is not a property of alpha; did you mean alpha.repository.type?",
        "alpha.repositorytype, alpha.repositorytype is not a property of alpha; did you mean alpha.repository.type?",
        "alpha.saga, alpha.saga is not a property of alpha; did you mean alpha.saga.order?",
        "alpha.grpc.port.x, alpha.grpc.port.x is not a property of alpha; did you mean alpha.grpc.port?",
    })
    void a_mistyped_property_is_refused_with_the_nearest_known_one(String property, String sentence) {
        assertThatThrownBy(() -> UnknownProperties.refuse(environment(Map.of(property, "x"), Map.of())))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageStartingWith(sentence);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "alpha.grpc.port",
                "alpha.saga.branchTimeout",
                "alpha.saga.branch-timeout",
                "alpha.cluster.seed-nodes[0]",
                "alphabet.soup",
                "alpha"
            })
    void what_spring_binds_or_does_not_care_about_is_accepted(String property) {
        assertThatCode(() -> UnknownProperties.refuse(environment(Map.of(property, "x"), Map.of())))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @CsvSource({
        "--port=1, --port is not an option of alpha; did you mean --server.port?",
        "--alpah.grpc.port=1, --alpah.grpc.port is not an option of alpha; did you mean --alpha.grpc.port?",
        "start, '''start'' is not an option of alpha; options begin with --'",
    })
    void what_is_no_option_is_refused(String argument, String sentence) {
        StandardEnvironment environment = environment(Map.of(), Map.of());
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(argument));

        assertThatThrownBy(() -> UnknownProperties.refuse(environment))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageStartingWith(sentence);
    }

    @Test
    void options_of_spring_boot_are_accepted() {
        StandardEnvironment environment = environment(Map.of(), Map.of());
        environment
                .getPropertySources()
                .addFirst(new SimpleCommandLinePropertySource(
                        "--server.port=1", "--logging.level.root=debug", "--debug", "--spring.config.location=x"));

        assertThatCode(() -> UnknownProperties.refuse(environment)).doesNotThrowAnyException();
    }

    @Test
    void a_mistyped_environment_variable_is_refused_with_the_nearest_known_one() {
        assertThatThrownBy(() -> UnknownProperties.refuse(environment(Map.of(), Map.of("ALPHA_SAGA_TIMOUT", "5s"))))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageStartingWith("The environment variable ALPHA_SAGA_TIMOUT is not one of alpha; did you mean"
                        + " ALPHA_SAGA_TIMEOUT?");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ALPHA_ADDRESSES", "ALPHA_ADDRESSES_0", "alpha_addresses"})
    void a_services_list_of_alphas_is_refused_with_what_it_is(String variable) {
        assertThatThrownBy(() -> UnknownProperties.refuse(environment(Map.of(), Map.of(variable, "alpha:8071"))))
                .isInstanceOf(RefusedPropertyException.class)
                .hasMessageContaining("services find alpha by such a list, as OMEGA_ALPHA_ADDRESSES");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALPHA_SAGA_BRANCHTIMEOUT",
                "ALPHA_SAGA_BRANCH_TIMEOUT",
                "ALPHA_CLUSTER_SEEDNODES",
                "ALPHA_CLUSTER_SEEDNODES_0_",
                "ALPHA_CLUSTER_SEED_NODES_0",
                "ALPHABET",
            })
    void an_environment_variable_that_spring_binds_is_accepted(String variable) {
        assertThatCode(() -> UnknownProperties.refuse(environment(Map.of(), Map.of(variable, "x"))))
                .doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ALPHA_SERVICE_HOST",
                "ALPHA_SERVICE_PORT",
                "ALPHA_SERVICE_PORT_HTTP",
                "ALPHA_PORT",
                "ALPHA_PORT_8080_TCP",
                "ALPHA_PORT_8080_TCP_ADDR",
                "ALPHA_HEADLESS_SERVICE_HOST",
            })
    void what_kubernetes_tells_of_a_service_named_alpha_is_accepted(String variable) {
        assertThatCode(() -> UnknownProperties.refuse(environment(Map.of(), Map.of(variable, "x"))))
                .doesNotThrowAnyException();
    }

    private static StandardEnvironment environment(Map<String, Object> properties, Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment() {
            @Override
            public Map<String, Object> getSystemEnvironment() {
                return variables;
            }
        };
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        environment.getPropertySources().addFirst(new MapPropertySource("properties", properties));
        return environment;
    }
}
