package io.alphaomega.omega.spring.startup;

import io.alphaomega.omega.spring.config.OmegaConfigurationException;
import io.alphaomega.omega.spring.definition.OfferedCallbacks;
import io.alphaomega.omega.stream.AlphaClient;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/** Contexts with parents: a client of alpha offers the callbacks of the beans beside it. */
final class ParentContexts {
    private ParentContexts() {}

    static void requireClientBeside(ConfigurableListableBeanFactory beans, OfferedCallbacks callbacks) {
        if (callbacks.offered().isEmpty() || beans.getBeanNamesForType(AlphaClient.class, true, false).length > 0)
            return;
        if (BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, AlphaClient.class, true, false).length == 0)
            return;
        OfferedCallbacks.Offered first = callbacks.offered().get(0);
        throw new OmegaConfigurationException(
                "%s is a callback of the bean '%s' in a child application context, but the client of alpha is in its parent, which offers the callbacks of its own beans only."
                        .formatted(first.callback().describe(), first.bean()),
                "Move the bean to the parent, or exclude io.alphaomega.omega.spring.autoconfigure.OmegaAutoConfiguration from the"
                        + " parent's auto-configuration.");
    }
}
