package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.CompensationArgument;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.core.ResolvableType;
import org.springframework.expression.EvaluationContext;
import org.springframework.expression.Expression;
import org.springframework.expression.ParseException;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.BeanReference;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.util.ClassUtils;

/** What a compensation is told in the place of its forward method's arguments, see {@link CompensationArgument}. */
public final class CompensationArguments {
    /** The compensation takes the arguments as they are, or none. */
    public static final CompensationArguments NONE = new CompensationArguments("", List.of());

    private static final String ACTION =
            "Write it as #order.id, with the parameters by their names (compile with -parameters), or as #p0.";

    private static final SpelExpressionParser PARSER = new SpelExpressionParser();
    private static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    private record Declared(String text, Expression expression, Class<?> type) {}

    private final String compensation;
    private final List<Declared> declared;

    private CompensationArguments(String compensation, List<Declared> declared) {
        this.compensation = compensation;
        this.declared = declared;
    }

    /** How many parameters say what they are told: the first ones. */
    static int declaredBy(Method compensation) {
        Parameter[] parameters = compensation.getParameters();
        int count = 0;
        for (int i = 0; i < parameters.length; i++) {
            if (!parameters[i].isAnnotationPresent(CompensationArgument.class)) continue;
            if (count < i) {
                throw new OmegaConfigurationException(
                        "%s has @CompensationArgument on some of its parameters only."
                                .formatted(Names.of(compensation)),
                        "Put it on all of them, but for a last one that takes the result of the method that is undone.");
            }
            count++;
        }
        return count;
    }

    static CompensationArguments of(Method forward, Method compensation, Class<?> beanClass) {
        int count = declaredBy(compensation);
        if (count == 0) return NONE;
        Set<String> known = new HashSet<>(Set.of("#root", "#this"));
        @Nullable String @Nullable [] names = NAMES.getParameterNames(forward);
        for (int i = 0; i < KotlinFunctions.parameterCount(forward); i++) {
            known.add("#p" + i);
            known.add("#a" + i);
            if (names != null) known.add("#" + names[i]);
        }
        List<Declared> declared = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String text = compensation
                    .getParameters()[i]
                    .getAnnotation(CompensationArgument.class)
                    .value();
            Class<?> type =
                    ClassUtils.resolvePrimitiveIfNecessary(ResolvableType.forMethodParameter(compensation, i, beanClass)
                            .toClass());
            declared.add(new Declared(text, parsed(forward, compensation, text, known), type));
        }
        return new CompensationArguments(Names.of(compensation), declared);
    }

    private static Expression parsed(Method forward, Method compensation, String text, Set<String> known) {
        SpelExpression expression;
        try {
            expression = PARSER.parseRaw(text);
        } catch (ParseException | IllegalArgumentException | IllegalStateException e) {
            throw new OmegaConfigurationException(
                    "The @CompensationArgument '%s' of %s cannot be read: %s"
                            .formatted(
                                    text,
                                    Names.of(compensation),
                                    e instanceof ParseException parse ? parse.getSimpleMessage() : e.getMessage()),
                    ACTION);
        }
        Set<String> unknown = new HashSet<>();
        collectVariables(expression.getAST(), unknown);
        unknown.removeAll(known);
        if (unknown.isEmpty()) return expression;
        throw new OmegaConfigurationException(
                "The @CompensationArgument '%s' of %s names %s, but %s has no such parameter."
                        .formatted(text, Names.of(compensation), String.join(", ", unknown), Names.of(forward)),
                ACTION);
    }

    private static void collectVariables(SpelNode node, Set<String> found) {
        // Of beans nobody has told the expression.
        if (node instanceof VariableReference || node instanceof BeanReference) found.add(node.toStringAST());
        for (int i = 0; i < node.getChildCount(); i++) collectVariables(node.getChild(i), found);
    }

    public boolean isNone() {
        return declared.isEmpty();
    }

    /**
     * What the compensation of this call is told.
     *
     * @throws SagaException if that cannot be computed; the exception shows no values
     */
    @Nullable
    Object[] of(Object bean, Method forward, @Nullable Object[] arguments) {
        if (isNone()) return KotlinFunctions.arguments(forward, arguments);
        EvaluationContext context = new MethodBasedEvaluationContext(bean, forward, arguments, NAMES);
        @Nullable Object[] told = new Object[declared.size()];
        for (int i = 0; i < told.length; i++) told[i] = value(declared.get(i), context);
        return told;
    }

    private @Nullable Object value(Declared argument, EvaluationContext context) {
        Object value;
        try {
            value = argument.expression().getValue(context);
        } catch (RuntimeException e) {
            // Its message may show values.
            throw unfit(argument, "cannot be computed (" + e.getClass().getSimpleName() + ")");
        }
        if (value == null || argument.type().isInstance(value)) return value;
        throw unfit(
                argument,
                "is a %s, but the parameter a %s"
                        .formatted(
                                value.getClass().getSimpleName(),
                                argument.type().getSimpleName()));
    }

    private SagaException unfit(Declared argument, String found) {
        return new SagaException("The @CompensationArgument '%s' of %s %s; the branch fails and did not run."
                .formatted(argument.text(), compensation, found));
    }
}
