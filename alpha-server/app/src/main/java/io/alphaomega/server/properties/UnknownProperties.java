package io.alphaomega.server.properties;

import java.lang.reflect.RecordComponent;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The check that a mistyped property stops the start instead of being ignored, wherever it is set. */
public final class UnknownProperties {
    private static final ConfigurationPropertyName PREFIX = ConfigurationPropertyName.of("alpha");

    /** What Spring Boot and its parts read; whether there is such a property among theirs, only they know. */
    static final Set<String> ROOTS = Set.of("alpha", "server", "management", "spring", "logging", "debug", "trace");

    /** Of Spring Boot's, those that an operator of alpha needs. */
    private static final Set<String> SPRINGS = Set.of("server.address", "server.port", "management.server.port");

    /** What Kubernetes puts into the environment of every pod for a service named alpha or alpha-something. */
    private static final Pattern SERVICE_LINK =
            Pattern.compile("ALPHA_(.+_)?(SERVICE_HOST|SERVICE_PORT(_.+)?|PORT(_\\d+_(TCP|UDP|SCTP)(_.+)?)?)");

    /** What a service calls where alpha is, and what a deployment that is shared by all would hand to alpha as well. */
    private static final String SERVICES_OWN = "alphaaddresses";

    /** The index of a list's element in a variable's name. */
    private static final Pattern ELEMENT = Pattern.compile("_\\d+_?$");

    private UnknownProperties() {}

    public static void refuse(ConfigurableEnvironment environment) {
        Set<String> known = known();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source.getUnderlyingSource() instanceof SimpleCommandLinePropertySource line) refuse(line);
            if (source instanceof IterableConfigurationPropertySource properties && !isSystemEnvironment(source)) {
                properties.stream()
                        .filter(PREFIX::isAncestorOf)
                        .map(UnknownProperties::list)
                        .forEach(name -> refuse(name, known));
            }
        }
        environment.getSystemEnvironment().keySet().stream()
                .map(name -> name.toUpperCase(Locale.ROOT))
                .filter(name -> name.startsWith("ALPHA_"))
                .forEach(variable -> refuse(variable, known));
    }

    private static void refuse(SimpleCommandLinePropertySource line) {
        String stray = line.getProperty(CommandLinePropertySource.DEFAULT_NON_OPTION_ARGS_PROPERTY_NAME);
        if (stray != null) {
            throw new RefusedPropertyException(
                    "'%s' is not an option of alpha; options begin with --, such as --alpha.grpc.port=8071."
                            .formatted(stray));
        }
        Set<String> options = options();
        for (String name : line.getPropertyNames()) {
            if (ROOTS.stream().noneMatch(root -> name.equals(root) || name.startsWith(root + "."))) {
                throw new RefusedPropertyException(
                        "--%s is not an option of alpha; did you mean --%s? docs/configuration.md has all of them."
                                .formatted(name, nearest(name, options)));
            }
        }
    }

    private static void refuse(ConfigurationPropertyName name, Set<String> known) {
        if (known.stream().map(ConfigurationPropertyName::of).noneMatch(name::equals)) {
            throw new RefusedPropertyException(
                    "%s is not a property of alpha; did you mean %s? docs/configuration.md has all of them."
                            .formatted(name, nearest(name.toString(), known)));
        }
    }

    private static void refuse(String variable, Set<String> known) {
        String property = simplified(ELEMENT.matcher(variable).replaceFirst(""));
        if (property.equals(SERVICES_OWN)) {
            throw new RefusedPropertyException(
                    "The environment variable %s is not one of alpha: services find alpha by such a list, as OMEGA_ALPHA_ADDRESSES. Leave it out of alpha's environment; other alphas are in ALPHA_CLUSTER_SEEDNODES."
                            .formatted(variable));
        }
        if (known.stream().map(UnknownProperties::simplified).noneMatch(property::equals)
                && !SERVICE_LINK.matcher(variable).matches()) {
            throw new RefusedPropertyException(
                    "The environment variable %s is not one of alpha; did you mean %s? docs/configuration.md has all of them."
                            .formatted(variable, variable(nearest(variable, known))));
        }
    }

    /** The full name of every property, from the record that they are bound to. */
    static Set<String> known() {
        Set<String> names = new LinkedHashSet<>();
        collect("alpha", AlphaProperties.class, names);
        return names;
    }

    /** The same, and those of Spring Boot that an operator of alpha needs. */
    static Set<String> options() {
        Set<String> options = new LinkedHashSet<>(known());
        options.addAll(SPRINGS);
        return options;
    }

    private static void collect(String prefix, Class<?> type, Set<String> names) {
        for (RecordComponent component : type.getRecordComponents()) {
            String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
            if (component.getType().isRecord()) collect(name, component.getType(), names);
            else names.add(name);
        }
    }

    /** The environment variable of a property. */
    static String variable(String property) {
        return property.replace('.', '_').replace("-", "").toUpperCase(Locale.ROOT);
    }

    private static boolean isSystemEnvironment(ConfigurationPropertySource source) {
        return source.getUnderlyingSource() instanceof PropertySource<?> underlying
                && underlying.getName().endsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
    }

    /** Without the index of a list's element. */
    private static ConfigurationPropertyName list(ConfigurationPropertyName name) {
        return name.isLastElementIndexed() ? name.getParent() : name;
    }

    /** Spring binds BRANCHTIMEOUT and BRANCH_TIMEOUT alike. */
    static String simplified(String name) {
        return name.replaceAll("[-_.]", "").toLowerCase(Locale.ROOT);
    }

    private static String nearest(String name, Set<String> known) {
        return known.stream()
                .min(Comparator.comparingInt(candidate -> distance(simplified(candidate), simplified(name))))
                .orElseThrow();
    }

    /** Levenshtein's: how many characters must be inserted, deleted or replaced. */
    private static int distance(String a, String b) {
        int[] above = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) above[j] = j;
        for (int i = 1; i <= a.length(); i++) {
            int[] row = new int[b.length() + 1];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int replaced = above[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, Math.min(above[j], row[j - 1]) + 1);
            }
            above = row;
        }
        return above[b.length()];
    }
}
