package io.alphaomega.omega.spring.config;

import java.io.File;
import java.util.Set;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/** The name by which alpha knows this service. */
public final class ServiceName {
    private static final String PROPERTY = "spring.application.name";

    private static final Set<String> OF_THE_PROCESS = Set.of(
            CommandLinePropertySource.COMMAND_LINE_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
            StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME);

    private static final char UNDECODABLE = '\ufffd';

    private static final int ASCII_MAX = 127;

    private ServiceName() {}

    public static String required(Environment environment) {
        String name = environment.getProperty(PROPERTY, "");
        if (name.isBlank()) {
            throw new OmegaConfigurationException(
                    "spring.application.name is not set, but alpha knows a service by it.",
                    "Set spring.application.name to a name that all instances of this service, and no other service, have.");
        }
        String encoding = System.getProperty("sun.jnu.encoding", "");
        if (name.indexOf(UNDECODABLE) >= 0 || (isOfTheProcess(environment) && !isDecoded(name, encoding))) {
            throw new OmegaConfigurationException(
                    "spring.application.name is '%s', which is not what was said: Java decodes arguments and variables by the locale, which has %s."
                            .formatted(name, encoding),
                    "Start the service with LC_ALL=C.UTF-8, or set the name in application.yml.");
        }
        return name;
    }

    /** Whether it is surely what was said: in files it is by any locale, and elsewhere it is by one of UTF-8. */
    static boolean isDecoded(String name, String encoding) {
        return File.separatorChar != '/'
                || encoding.equalsIgnoreCase("UTF-8")
                || name.chars().noneMatch(letter -> letter > ASCII_MAX);
    }

    private static boolean isOfTheProcess(Environment environment) {
        if (!(environment instanceof ConfigurableEnvironment configurable)) return false;
        for (PropertySource<?> source : configurable.getPropertySources()) {
            if (OF_THE_PROCESS.contains(source.getName()) && source.containsProperty(PROPERTY)) return true;
        }
        return false;
    }
}
