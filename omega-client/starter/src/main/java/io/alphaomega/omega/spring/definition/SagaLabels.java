package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.SagaSettings;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.config.Texts;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.common.TemplateParserContext;
import org.springframework.expression.spel.standard.SpelExpressionParser;

/**
 * What a {@link SagaStart} method says of its sagas for search. It is never a reason not to run, unless the business key is
 * unique: what cannot be told of a saga is left out.
 */
public final class SagaLabels {
    public static final SagaLabels NONE = new SagaLabels("", null, false, List.of());

    private static final Logger log = LoggerFactory.getLogger(SagaLabels.class);

    /** Alpha's limit. */
    private static final int MAX = 16;

    /** Alpha's limit, on names and values. */
    private static final int CHARS_MAX = 256;

    /** Of all together, in UTF-8: they travel in a header of the saga's first calls, beside others that have 8 KB in all. */
    private static final int BYTES_MAX = 2_048;

    private static final String HALF = "has half a character, which UTF-8 cannot say";

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private record Attribute(String name, Expression value) {}

    /**
     * What one saga is found by.
     *
     * @param businessKey empty if there is none
     * @param unique whether no other saga may have the key
     */
    public record Labels(String businessKey, boolean unique, Map<String, String> attributes) {
        public static final Labels NONE = new Labels("", false, Map.of());
    }

    private final String operation;
    private final @Nullable Expression businessKey;
    private final boolean unique;
    private final List<Attribute> attributes;
    private final AtomicBoolean warned = new AtomicBoolean();

    private SagaLabels(String operation, @Nullable Expression businessKey, boolean unique, List<Attribute> attributes) {
        this.operation = operation;
        this.businessKey = businessKey;
        this.unique = unique;
        this.attributes = attributes;
    }

    public static SagaLabels of(Method method, SagaStart start) {
        Expression key = start.businessKey().isEmpty() ? null : businessKey(method, start.businessKey());
        List<Attribute> attributes = attributes(method, start.attributes());
        if (key == null && start.unique()) {
            throw new OmegaConfigurationException(
                    "%s is unique, but has no businessKey that could be.".formatted(Names.of(method)),
                    "Say businessKey = \"#order.id\", or what else is the same when the call is repeated.");
        }
        return key == null && attributes.isEmpty()
                ? NONE
                : new SagaLabels(Names.of(method), key, start.unique(), attributes);
    }

    private static Expression businessKey(Method method, String text) {
        try {
            return PARSER.parseExpression(text);
        } catch (ParseException e) {
            throw new OmegaConfigurationException(
                    "The businessKey '%s' of %s cannot be read: %s"
                            .formatted(text, Names.of(method), e.getSimpleMessage()),
                    "Write it as #order.id, with the parameters by their names.");
        }
    }

    /** @param texts each {@code name=value} */
    private static List<Attribute> attributes(Method method, String... texts) {
        if (texts.length > MAX) {
            throw new OmegaConfigurationException(
                    "%s has %d attributes, at most %d are possible.".formatted(Names.of(method), texts.length, MAX),
                    "Keep those that sagas are searched by.");
        }
        List<Attribute> attributes = new ArrayList<>();
        for (String text : texts) attributes.add(attribute(method, text));
        long names = attributes.stream().map(Attribute::name).distinct().count();
        if (names < texts.length) {
            throw new OmegaConfigurationException(
                    "%s has two attributes of one name.".formatted(Names.of(method)), "Give each name one value.");
        }
        return List.copyOf(attributes);
    }

    private static Attribute attribute(Method method, String text) {
        int end = text.indexOf('=');
        if (end < 1 || end > CHARS_MAX) {
            throw new OmegaConfigurationException(
                    "The attribute '%s' of %s is not name=value, with a name of 1 to %d characters."
                            .formatted(text, Names.of(method), CHARS_MAX),
                    "Write it as tenant=acme or order=#{#order.id}.");
        }
        try {
            return new Attribute(
                    text.substring(0, end),
                    PARSER.parseExpression(text.substring(end + 1), new TemplateParserContext()));
        } catch (ParseException e) {
            throw new OmegaConfigurationException(
                    "The attribute '%s' of %s cannot be read: %s"
                            .formatted(text, Names.of(method), e.getSimpleMessage()),
                    "Write it as tenant=acme or order=#{#order.id}.");
        }
    }

    /** Those of the saga that this call begins. */
    public Labels of(MethodInvocation call) {
        if (this == NONE) return Labels.NONE;
        EvaluationContext context =
                new MethodBasedEvaluationContext(call.getThis(), call.getMethod(), call.getArguments(), NAMES);
        return new Labels(unique ? uniqueKey(context) : businessKey(context), unique, attributes(context));
    }

    /** What code that begins sagas of that name by itself may say of them. */
    public static SagaLabels ofCode(String name) {
        return new SagaLabels(name, null, false, List.of());
    }

    /** What fits of what such code says. */
    public Labels limited(SagaSettings settings) {
        String key = settings.businessKey();
        return new Labels(
                settings.isUnique() ? required(key) : limited(key),
                settings.isUnique(),
                limited(settings.attributes()));
    }

    private String uniqueKey(EvaluationContext context) {
        try {
            return required(Objects.requireNonNull(businessKey).getValue(context, String.class));
        } catch (EvaluationException e) {
            throw new SagaException(
                    "The businessKey of %s cannot be computed, and must be, since it is unique: it did not run."
                            .formatted(operation),
                    e);
        }
    }

    private String required(@Nullable String key) {
        if (key != null && !Texts.isWhole(key)) {
            throw new SagaException(
                    "The businessKey of %s is unique and ends in, or contains, half a character, which would become a question mark and no longer be unique: it did not run. Do not cut texts within a character."
                            .formatted(operation));
        }
        if (key != null && !key.isEmpty() && key.length() <= CHARS_MAX) return key;
        throw new SagaException(
                "The businessKey of %s is unique and must have 1 to %d characters, but has %d: it did not run."
                        .formatted(operation, CHARS_MAX, key == null ? 0 : key.length()));
    }

    private String businessKey(EvaluationContext context) {
        if (businessKey == null) return "";
        String key = value("businessKey", businessKey, context);
        return key == null ? "" : limited(key);
    }

    private String limited(String key) {
        if (!Texts.isWhole(key)) {
            warn("businessKey", HALF);
            return "";
        }
        if (key.length() <= CHARS_MAX) return key;
        warn("businessKey", "has %d characters, at most %d are possible".formatted(key.length(), CHARS_MAX));
        return "";
    }

    private Map<String, String> attributes(EvaluationContext context) {
        Map<String, String> values = new LinkedHashMap<>();
        for (Attribute attribute : attributes) {
            String value = value("attribute " + attribute.name(), attribute.value(), context);
            if (value != null) values.put(attribute.name(), value);
        }
        return limited(values);
    }

    /** What fits, the first in the list first. */
    private Map<String, String> limited(Map<String, String> all) {
        Map<String, String> values = new LinkedHashMap<>();
        int bytes = 0;
        for (Map.Entry<String, String> attribute : all.entrySet()) {
            String what = "attribute " + attribute.getKey();
            String value = attribute.getValue();
            if (!Texts.isWhole(attribute.getKey()) || !Texts.isWhole(value)) {
                warn(what, HALF);
                continue;
            }
            int more = (attribute.getKey() + value).getBytes(StandardCharsets.UTF_8).length;
            if (value.length() > CHARS_MAX || bytes + more > BYTES_MAX) {
                warn(
                        what,
                        "has %d characters, at most %d are possible, and %d bytes of all attributes together"
                                .formatted(value.length(), CHARS_MAX, BYTES_MAX));
                continue;
            }
            bytes += more;
            values.put(attribute.getKey(), value);
        }
        return values;
    }

    private @Nullable String value(String what, Expression expression, EvaluationContext context) {
        try {
            return expression.getValue(context, String.class);
        } catch (RuntimeException e) {
            warn(what, "cannot be computed: " + e.getMessage());
            return null;
        }
    }

    /** Once: whatever it is, the next call has it as well. */
    private void warn(String what, String why) {
        if (warned.compareAndSet(false, true)) {
            log.warn("The {} of {} {}. Its sagas run without it, and this is logged once.", what, operation, why);
        }
    }
}
