package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.config.IntendedClients;
import io.alphaomega.omega.spring.config.IntendedClients.Client;
import io.alphaomega.omega.transport.http.ReactiveSagaCalls;
import io.alphaomega.omega.transport.http.SagaCalls;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * Names the HTTP clients among the beans, and in the fields of the application's own beans, that do not send sagas along.
 * It finds those that are there at start; nobody finds one that is made inside a method.
 */
public final class ClientCheck implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(ClientCheck.class);

    private static final String WEB_CLIENT = "org.springframework.web.reactive.function.client.WebClient";

    private final ConfigurableListableBeanFactory beans;

    public ClientCheck(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void afterSingletonsInstantiated() {
        List<Client> without = new ArrayList<>();
        without.addAll(without(RestTemplate.class, SagaCalls::areMadeBy));
        without.addAll(without(RestClient.class, client -> SagaCalls.areMadeBy(client.mutate())));
        without.addAll(without(RestClient.Builder.class, SagaCalls::areMadeBy));
        if (ClassUtils.isPresent(WEB_CLIENT, beans.getBeanClassLoader())) without.addAll(WebClients.without(this));
        without.addAll(ClientFields.without(beans));
        List<String> unanswered = IntendedClients.of(beans).others(without);
        if (unanswered.isEmpty()) return;
        log.warn(
                "These HTTP clients do not send sagas along, what they call runs outside the saga and nobody undoes it: {}."
                        + " Make them with the injected RestClient.Builder, WebClient.Builder or RestTemplateBuilder, apply"
                        + " SagaCalls.from(…) or ReactiveSagaCalls.from(…) to them, or have them send"
                        + " SagaHeaders.forCall(…). Name those that are meant to be without in omega.clients.intended, by"
                        + " bean, or bean.field.",
                String.join(", ", unanswered));
    }

    private <T> List<Client> without(Class<T> type, Predicate<T> sends) {
        return without(beans, type, sends);
    }

    /** The beans that are there and do not. */
    static <T> List<Client> without(ConfigurableListableBeanFactory beans, Class<T> type, Predicate<T> sends) {
        List<Client> clients = new ArrayList<>();
        for (String name : beans.getBeanNamesForType(type, true, false)) {
            if (ScopedProxyUtils.isScopedTarget(name) || !isThere(beans, name)) continue;
            if (!sends.test(type.cast(beans.getBean(name))))
                clients.add(new Client(name, "'" + name + "' (" + ClassUtils.getShortName(type) + ")"));
        }
        return clients;
    }

    /** Loaded only where there are any. */
    static final class WebClients {
        static @Nullable Boolean sends(Object client) {
            return client instanceof WebClient webClient ? ReactiveSagaCalls.areMadeBy(webClient) : null;
        }

        static List<Client> without(ClientCheck check) {
            List<Client> without = check.without(WebClient.class, ReactiveSagaCalls::areMadeBy);
            without.addAll(check.without(WebClient.Builder.class, ReactiveSagaCalls::areMadeBy));
            return without;
        }
    }

    /** A prototype, as builders are, is made to be looked at; a lazy singleton is left alone. */
    private static boolean isThere(ConfigurableListableBeanFactory beans, String name) {
        return beans.containsSingleton(name) || (beans.isPrototype(name) && !isOfSpringBoot(beans, name));
    }

    /** Its builders have seen every customizer, and to make one would make what it needs and is lazy. */
    private static boolean isOfSpringBoot(ConfigurableListableBeanFactory beans, String name) {
        if (!beans.containsBeanDefinition(name)) return false;
        String from = beans.getBeanDefinition(name).getFactoryBeanName();
        return from != null && from.startsWith("org.springframework.boot.");
    }
}
