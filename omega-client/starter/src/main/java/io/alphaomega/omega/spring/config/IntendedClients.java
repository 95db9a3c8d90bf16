package io.alphaomega.omega.spring.config;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentSkipListSet;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextRefreshedEvent;

/** The answers to the warnings about clients: those that {@code omega.clients.intended} names are left out of them. */
public final class IntendedClients implements ApplicationListener<ContextRefreshedEvent> {
    static final String PROPERTY = "omega.clients.intended";

    private static final Logger log = LoggerFactory.getLogger(IntendedClients.class);

    private final ConfigurableListableBeanFactory beans;
    private final Set<String> names;

    /** Everything that a warning would name. */
    private final Set<String> found = new ConcurrentSkipListSet<>();

    public IntendedClients(ConfigurableListableBeanFactory beans, OmegaProperties properties) {
        this.beans = beans;
        this.names = new TreeSet<>(properties.clients().intended());
    }

    /**
     * A client that a warning would name.
     *
     * @param name of its bean, or of the bean and its field as {@code bean.field}
     * @param text as the warning names it
     */
    public record Client(String name, String text) {}

    /** Those of the context. */
    public static IntendedClients of(ConfigurableListableBeanFactory beans) {
        return beans.getBean(IntendedClients.class);
    }

    /** The texts of those that nobody has answered for. */
    public List<String> others(Collection<Client> clients) {
        List<String> others = new ArrayList<>();
        for (Client client : clients) {
            found.add(client.name());
            if (!names.contains(client.name())) others.add(client.text());
        }
        return others;
    }

    /** All that are looked at have been looked at. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (!refreshed.getApplicationContext().getAutowireCapableBeanFactory().equals(beans)) return;
        for (String name : names) {
            if (found.contains(name)) continue;
            log.warn(
                    "{} names '{}', but {}. Warnings about clients would name {}.",
                    PROPERTY,
                    name,
                    beans.containsBean(name)
                            ? "that is no client which a warning would name: the property keeps warnings away, and changes"
                                    + " nothing else"
                            : "there is no such bean, nor such a field of a bean",
                    found.isEmpty() ? "none" : "these: " + String.join(", ", found));
        }
    }
}
