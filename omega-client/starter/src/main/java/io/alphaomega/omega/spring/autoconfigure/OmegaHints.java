package io.alphaomega.omega.spring.autoconfigure;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.spring.definition.AfterMethods;
import io.alphaomega.omega.spring.definition.CallbackFinder;
import io.alphaomega.omega.spring.definition.SagaStarts;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.ResolvedTypes;
import io.alphaomega.omega.spring.method.ReturnKind;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils.MethodFilter;

/**
 * Says to Spring's AOT processing what omega reaches by reflection in a bean: its callbacks, the arguments and results of
 * its branches, which become JSON, and the arguments that business keys and attributes are read from.
 */
final class OmegaHints implements BeanRegistrationAotProcessor {
    private final BindingReflectionHintsRegistrar binding = new BindingReflectionHintsRegistrar();

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> beanClass = ClassUtils.getUserClass(bean.getBeanClass());
        Set<Method> branches = CallbackFinder.branches(beanClass);
        Set<Method> callbacks = callbacks(beanClass);
        Set<Type> values = new LinkedHashSet<>();
        callbacks.forEach(each -> addParameters(each, beanClass, values));
        for (Method each : branches) {
            addParameters(each, beanClass, values);
            values.add(ReturnKind.resultType(each, beanClass));
        }
        methods(beanClass, each -> isFoundByItsArguments(each, beanClass))
                .forEach(each -> addParameters(each, beanClass, values));
        if (beanClass == CompensationHandler.class) {
            values.add(bean.getBeanType()
                    .as(CompensationHandler.class)
                    .getGeneric(0)
                    .getType());
        }
        values.remove(void.class);
        if (callbacks.isEmpty() && values.isEmpty()) return null;
        return (generation, code) -> {
            ReflectionHints hints = generation.getRuntimeHints().reflection();
            callbacks.forEach(each -> hints.registerMethod(each, ExecutableMode.INVOKE));
            values.forEach(each -> binding.registerReflectionHints(hints, each));
        };
    }

    /** But for the continuation of a suspend function, which only Kotlin looks at. */
    private static void addParameters(Method method, Class<?> beanClass, Set<Type> to) {
        Type[] declared = method.getGenericParameterTypes();
        for (int i = 0; i < KotlinFunctions.parameterCount(method); i++) {
            to.add(ResolvedTypes.of(declared[i], beanClass));
        }
    }

    /** Those that branches name, and those that follow the decision. */
    private static Set<Method> callbacks(Class<?> beanClass) {
        Set<String> named = CallbackFinder.named(beanClass);
        return methods(
                beanClass,
                each -> named.stream().anyMatch(name -> CallbackFinder.isNamed(each, name))
                        || AfterMethods.ANNOTATIONS.stream()
                                .anyMatch(one -> AnnotatedElementUtils.hasAnnotation(each, one)));
    }

    private static boolean isFoundByItsArguments(Method method, Class<?> beanClass) {
        SagaStart start = SagaStarts.of(method, beanClass);
        return start != null && (!start.businessKey().isEmpty() || start.attributes().length > 0);
    }

    private static Set<Method> methods(Class<?> beanClass, MethodFilter which) {
        return MethodIntrospector.selectMethods(beanClass, which);
    }
}
