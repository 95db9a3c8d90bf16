package io.alphaomega.server.properties;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.convert.ConversionFailedException;

/** Explains a start that failed because the value of a property cannot be read, such as a port that is no number. */
@Order(Ordered.HIGHEST_PRECEDENCE)
final class UnreadableValueAnalyzer extends AbstractFailureAnalyzer<BindException> {
    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, BindException unbound) {
        ConversionFailedException conversion = findCause(unbound, ConversionFailedException.class);
        ConfigurationProperty property = unbound.getProperty();
        if (conversion == null || property == null) return null;
        String sentence = "%s must be %s but was '%s'."
                .formatted(
                        property.getName(), expected(conversion.getTargetType().getType()), property.getValue());
        return new FailureAnalysis(sentence, null, unbound);
    }

    private static String expected(Class<?> type) {
        Class<?> plain = type.isPrimitive() ? Integer.class : type;
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant ->
                            ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .collect(Collectors.joining(" or "));
        }
        if (type == Duration.class) return "a duration such as 500ms, 30s, 5m or 24h";
        if (type == boolean.class || type == Boolean.class) return "true or false";
        if (type == InetAddress.class) return "an address or the name of this machine";
        return Number.class.isAssignableFrom(plain) ? "a whole number" : "a " + type.getSimpleName();
    }
}
