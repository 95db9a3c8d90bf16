package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;

/** Each warning about clients is answered for each client by itself. */
class IntendedClientsTest {
    private static final String WITHOUT = "These HTTP clients do not send sagas along";

    private final ApplicationContextRunner shop = Applications.plain().withUserConfiguration(Misused.Clients.class);

    /** What is said at startup if these are as they are meant to be. */
    private static List<String> said(ApplicationContextRunner runner, String intended) {
        try (Warnings warnings = Warnings.ofOmega()) {
            runner.withPropertyValues("omega.clients.intended=" + intended)
                    .run(context -> assertThat(context).hasNotFailed());
            return List.copyOf(warnings.said());
        }
    }

    @Test
    void one_that_is_named_is_left_out_and_the_others_are_warned_of() {
        assertThat(said(shop, "hotels"))
                .singleElement()
                .asString()
                .startsWith(WITHOUT)
                .contains("'flights' (WebClient), 'client' of bean '")
                .doesNotContain("'hotels'");
    }

    @Test
    void one_in_a_field_is_named_with_its_bean() {
        String cars = Misused.Cars.class.getName();

        assertThat(said(shop, "hotels," + cars + ".client"))
                .singleElement()
                .asString()
                .contains("'flights' (WebClient).")
                .doesNotContain("'client' of bean");
        assertThat(said(shop, "hotels,flights," + cars + ".client")).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    static class GoodClient {
        @Bean
        RestClient made(RestClient.Builder builder) {
            return builder.build();
        }

        @Bean
        String hotel() {
            return "no client";
        }
    }

    @Test
    void a_name_that_answers_nothing_gets_a_sentence() {
        String cars = Misused.Cars.class.getName();
        ApplicationContextRunner more = shop.withConfiguration(AutoConfigurations.of(BootUnderTest.HTTP_CLIENTS))
                .withUserConfiguration(GoodClient.class);

        assertThat(said(more, "hotles,hotels,made,flights,hotel," + cars + ".client," + cars + ".cleint"))
                .hasSize(4)
                .anySatisfy(line -> assertThat(line)
                        .isEqualTo(
                                "omega.clients.intended names 'hotles', but there is no such bean, nor such a field of a"
                                        + " bean. Warnings about clients would name these: flights, hotels, " + cars
                                        + ".client."))
                .anySatisfy(line -> assertThat(line).contains("names '" + cars + ".cleint', but there is no such bean"))
                .anySatisfy(line -> assertThat(line)
                        .contains("names 'made', but that is no client which a warning would name: the property keeps"
                                + " warnings away, and changes nothing else."))
                .anySatisfy(line -> assertThat(line).contains("names 'hotel', but that is no client"));
        assertThat(said(Applications.plain(), "hotels"))
                .singleElement()
                .asString()
                .endsWith("Warnings about clients would name none.");
    }

    @Configuration(proxyBeanMethods = false)
    static class UnknownClients {
        @Bean
        OrdinaryClassesTest.HotelApi hotel() {
            return proxy();
        }

        @Bean
        OrdinaryClassesTest.HotelApi inn() {
            return proxy();
        }

        private static OrdinaryClassesTest.HotelApi proxy() {
            return (OrdinaryClassesTest.HotelApi) Proxy.newProxyInstance(
                    OrdinaryClassesTest.HotelApi.class.getClassLoader(),
                    new Class<?>[] {OrdinaryClassesTest.HotelApi.class},
                    (proxy, method, arguments) -> null);
        }
    }

    @Test
    void proxies_that_are_clients_are_named_as_well() {
        ApplicationContextRunner hotels = Applications.plain().withUserConfiguration(UnknownClients.class);

        assertThat(said(hotels, "hotel"))
                .singleElement()
                .asString()
                .startsWith("These beans are proxies")
                .contains("'inn' (")
                .doesNotContain("'hotel' (");
        assertThat(said(hotels, "hotel,inn")).isEmpty();
    }
}
