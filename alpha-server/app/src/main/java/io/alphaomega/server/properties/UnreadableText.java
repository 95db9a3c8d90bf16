package io.alphaomega.server.properties;

import java.io.File;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Set;
import org.springframework.core.env.CommandLinePropertySource;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * The check that what Java decodes by the locale is what was said: arguments, environment variables, names of files. Under
 * cron and in many containers the locale has ASCII only, and what is not would silently be something else.
 */
public final class UnreadableText {
    private static final String ENCODING = System.getProperty("sun.jnu.encoding");

    private static final char UNDECODABLE = '\ufffd';

    private static final int ASCII_MAX = 127;

    public static final String NO_PATH =
            ("names no file: either it has a character that none may have, or one beyond ASCII where the locale has %s"
                            + " and not UTF-8; then start alpha with LC_ALL=C.UTF-8, as scripts/alpha does by itself")
                    .formatted(ENCODING);

    private UnreadableText() {}

    /** Refuses an argument or a variable of alpha that is something else than what was said. */
    public static void refuse(ConfigurableEnvironment environment) {
        for (PropertySource<?> source : environment.getPropertySources()) {
            if (!(source instanceof EnumerablePropertySource<?> values) || !isDecoded(source)) continue;
            for (String name : values.getPropertyNames()) {
                if (isOurs(name, source)) refuse(name, String.valueOf(values.getProperty(name)), ENCODING);
            }
        }
    }

    /** @param encoding of the locale, as Java calls it */
    static void refuse(String name, String value, String encoding) {
        if (isReadable(name + value, encoding)) return;
        String how = isUtf8(encoding)
                ? "has bytes that are not UTF-8: write it in UTF-8"
                : "is not ASCII, and Java decodes it by the locale, which has %s and not UTF-8: start alpha with LC_ALL=C.UTF-8, as scripts/alpha does by itself"
                        .formatted(encoding);
        throw new RefusedPropertyException("What %s says %s.".formatted(name, how));
    }

    /** Whether that is the name of a file, and the same one by every locale. */
    public static boolean isPath(String path) {
        try {
            return isReadable(Path.of(path).toAbsolutePath().toString(), ENCODING);
        } catch (InvalidPathException e) {
            return false;
        }
    }

    private static boolean isReadable(String text, String encoding) {
        return text.indexOf(UNDECODABLE) < 0
                && (isUtf8(encoding) || text.chars().noneMatch(letter -> letter > ASCII_MAX));
    }

    /** Or of a system that gives Java characters. */
    private static boolean isUtf8(String encoding) {
        return File.separatorChar != '/' || encoding.equalsIgnoreCase("UTF-8");
    }

    private static boolean isDecoded(PropertySource<?> source) {
        return source instanceof CommandLinePropertySource
                || Set.of(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                                StandardEnvironment.SYSTEM_PROPERTIES_PROPERTY_SOURCE_NAME)
                        .contains(source.getName());
    }

    /** Of the environment and of Java's own properties much is nobody's business. */
    private static boolean isOurs(String name, PropertySource<?> source) {
        if (source instanceof CommandLinePropertySource) return true;
        String lower = name.toLowerCase(Locale.ROOT).replace('_', '.');
        return UnknownProperties.ROOTS.stream().anyMatch(root -> lower.startsWith(root + "."));
    }
}
