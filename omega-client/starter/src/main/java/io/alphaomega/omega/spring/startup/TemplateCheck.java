package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.config.IntendedClients;
import java.util.List;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Names the beans of one type of client that do not send sagas along. It finds those that are there at start; nobody finds
 * one that is made inside a method.
 *
 * @param sends whether a client sends sagas along
 * @param advice a sentence: how it would
 */
public record TemplateCheck<T>(ConfigurableListableBeanFactory beans, Class<T> type, Predicate<T> sends, String advice)
        implements SmartInitializingSingleton {
    private static final Logger log = LoggerFactory.getLogger(ClientCheck.class);

    @Override
    public void afterSingletonsInstantiated() {
        List<String> without = IntendedClients.of(beans).others(ClientCheck.without(beans, type, sends));
        if (without.isEmpty()) return;
        log.warn(
                "These clients do not send sagas along, what gets their messages runs outside the saga and nobody undoes it: {}. {}"
                        + " Name those that are meant to be without in omega.clients.intended.",
                String.join(", ", without),
                advice);
    }
}
