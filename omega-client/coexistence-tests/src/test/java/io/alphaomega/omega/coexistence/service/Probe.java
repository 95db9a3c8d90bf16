package io.alphaomega.omega.coexistence.service;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiFunction;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/**
 * Starts a service on the class path that this class is loaded from, and says what it is like: its beans, what has become of
 * the conditions of its configurations, their order, and what it does.
 */
public final class Probe implements BiFunction<List<String>, Map<String, Object>, SortedMap<String, String>> {

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Service {}

    /**
     * @param parts names of the service's own classes, in this package
     * @param properties of the service
     */
    @Override
    public SortedMap<String, String> apply(List<String> parts, Map<String, Object> properties) {
        leaveUrls();
        List<Class<?>> classes = new ArrayList<>(List.of(Service.class));
        parts.forEach(part -> classes.add(named(part)));
        SpringApplicationBuilder builder = new SpringApplicationBuilder(classes.toArray(Class<?>[]::new))
                .registerShutdownHook(false)
                .properties(properties);
        try (ConfigurableApplicationContext service = builder.run()) {
            SortedMap<String, String> facts = new TreeMap<>();
            beans(service.getBeanFactory(), facts);
            conditions(service.getBeanFactory(), facts);
            for (Map.Entry<String, Trial> trial :
                    service.getBeansOfType(Trial.class).entrySet()) {
                trial.getValue().run(service, (what, came) -> facts.put("it does: " + what, came));
            }
            return facts;
        } catch (Exception e) {
            throw new IllegalStateException("The service does not work.", e);
        }
    }

    /** Tomcat's factory of URLs can be set once in a JVM. */
    private static void leaveUrls() {
        try {
            Class.forName("org.apache.catalina.webresources.TomcatURLStreamHandlerFactory")
                    .getMethod("disable")
                    .invoke(null);
        } catch (ClassNotFoundException noTomcat) {
            // Then nobody sets it.
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }

    private static Class<?> named(String part) {
        try {
            return Class.forName(Probe.class.getPackageName() + "." + part);
        } catch (ClassNotFoundException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void beans(ConfigurableListableBeanFactory beans, SortedMap<String, String> facts) {
        List<String> configurations = new ArrayList<>();
        for (String name : beans.getBeanDefinitionNames()) {
            BeanDefinition definition = beans.getBeanDefinition(name);
            String from = Objects.requireNonNullElse(
                    definition.getFactoryBeanName(),
                    definition.getFactoryMethodName() == null ? "" : definition.getBeanClassName());
            Class<?> type = beans.getType(name, false);
            String primary = definition.isPrimary() ? " (primary)" : "";
            facts.put("bean " + name, plain(type == null ? "" : type.getName()) + primary + " of " + from);
            if (name.endsWith("AutoConfiguration")) configurations.add(name);
        }
        facts.put("order", String.join("\n", configurations));
    }

    /** Without what is made while it runs, such as the numbers of proxies. */
    private static String plain(String type) {
        return type.replaceAll("\\$\\$.*", "")
                .replaceAll("jdk\\.proxy\\d+\\.\\$Proxy\\d+", "a proxy")
                .replaceAll("/0x.*", "");
    }

    private static void conditions(ConfigurableListableBeanFactory beans, SortedMap<String, String> facts) {
        ConditionEvaluationReport.get(beans)
                .getConditionAndOutcomesBySource()
                .forEach((source, outcomes) ->
                        facts.put("condition " + source, outcomes.isFullMatch() ? "met" : "not met"));
    }
}
