package io.alphaomega.omega.spring.template;

import io.alphaomega.omega.CompensationHandler;
import io.alphaomega.omega.SagaException;
import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.CallbackFinder.Role;
import io.alphaomega.omega.spring.definition.CallbackMethod;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import io.alphaomega.omega.spring.method.ReturnKind;
import io.alphaomega.omega.spring.payload.Payloads;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ReflectionUtils;

/** The service's {@link CompensationHandler}s: offers them to alpha before it is connected to. */
public final class CompensationHandlers implements SmartInitializingSingleton {
    private static final Method COMPENSATE =
            Objects.requireNonNull(ReflectionUtils.findMethod(CompensationHandler.class, "compensate", Object.class));

    private final ConfigurableListableBeanFactory beans;
    private final OfferedCallbacks callbacks;
    private final Supplier<Payloads> payloads;
    private final Supplier<FencedExecution> localWork;
    private final Map<CompensationHandler<?>, CallbackMethod> offered = new ConcurrentHashMap<>();

    /**
     * @param payloads asked for when all beans are there
     * @param localWork likewise
     */
    public CompensationHandlers(
            ConfigurableListableBeanFactory beans,
            OfferedCallbacks callbacks,
            Supplier<Payloads> payloads,
            Supplier<FencedExecution> localWork) {
        this.beans = beans;
        this.callbacks = callbacks;
        this.payloads = payloads;
        this.localWork = localWork;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanNamesForType(CompensationHandler.class)) {
            if (!beans.isSingleton(name)) {
                throw new OmegaConfigurationException(
                        "The CompensationHandler '%s' is a bean that is not a singleton: a branch could not be told by which it is undone."
                                .formatted(name),
                        "Make the bean a singleton.");
            }
            offer(name, beans.getBean(name, CompensationHandler.class));
        }
    }

    private void offer(String bean, CompensationHandler<?> handler) {
        payloads.get().check(handler);
        localWork.get().requireNamed(handler.toString(), handler.fence(), ReturnKind.NOW);
        CallbackMethod callback = new CallbackMethod(
                Role.COMPENSATION,
                handler.name(),
                List.of(),
                COMPENSATE,
                List.of(handler.type()),
                false,
                void.class,
                handler.fence());
        callbacks.offer(bean, callback);
        offered.put(handler, callback);
    }

    /** @throws SagaException if it is none of the service's beans, so that nobody could call it back after a restart */
    CallbackMethod callback(String operation, CompensationHandler<?> handler) {
        CallbackMethod callback = offered.get(handler);
        if (callback != null) return callback;
        throw new SagaException(
                "%s did not run: its %s is not a bean of this service, so no instance could be asked for it. Make it with a @Bean method, and inject it."
                        .formatted(operation, handler));
    }
}
