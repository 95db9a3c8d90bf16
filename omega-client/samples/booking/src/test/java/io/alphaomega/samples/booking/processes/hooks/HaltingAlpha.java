package io.alphaomega.samples.booking.processes.hooks;

import io.alphaomega.repository.SagaRepository;
import org.springframework.beans.factory.config.BeanPostProcessor;

/** Puts a {@link HaltingRepository} before alpha's store. Given to alpha as one of {@code spring.main.sources}. */
final class HaltingAlpha implements BeanPostProcessor {
    @Override
    public Object postProcessAfterInitialization(Object bean, String name) {
        return bean instanceof SagaRepository store && !isDecorator(bean) ? new HaltingRepository(store) : bean;
    }

    /** Group commit and metrics stand before the store, and are asked for by their own types. */
    private static boolean isDecorator(Object bean) {
        return bean.getClass().getPackageName().startsWith("io.alphaomega.server");
    }
}
