package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.method.KotlinFunctions;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.util.Set;
import org.springframework.core.ResolvableType;

/** What functions of Kotlin need besides. */
final class KotlinChecks {
    private static final Set<String> REACTOR = Set.of("reactor.core.publisher.Mono", "reactor.core.publisher.Flux");

    private KotlinChecks() {}

    /**
     * That Spring can call the method, if it is a suspend function or returns a {@code Flow}, and that its work is done then.
     *
     * @param role what the method is, such as "is @SagaStart"
     */
    static void requireCallable(Method method, String role) {
        boolean suspend = KotlinFunctions.isSuspend(method);
        boolean flow = KotlinFunctions.returnsFlow(method);
        if (!suspend && !flow) return;
        String what = role + " and " + (suspend ? "a suspend function" : "returns a Flow");
        Class<?> result =
                ResolvableType.forType(KotlinFunctions.resultType(method)).toClass();
        if (!flow && (AnnotationReader.returnsLater(result) || REACTOR.contains(result.getName()))) {
            throw AnnotationReader.notDone(
                    method,
                    what + " that returns a " + result.getSimpleName(),
                    "Await that in the function, and return its value.");
        }
        if (KotlinFunctions.areCallable(method)) return;
        throw new OmegaConfigurationException(
                "%s %s, which Spring calls by kotlinx-coroutines-reactor and kotlin-reflect: they are not both there, or it was not compiled by Kotlin."
                        .formatted(Names.of(method), what),
                "Add org.jetbrains.kotlinx:kotlinx-coroutines-reactor and org.jetbrains.kotlin:kotlin-reflect.");
    }
}
