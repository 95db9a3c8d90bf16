package io.alphaomega.omega.spring.definition;

import io.alphaomega.omega.spring.config.IntendedClients;
import io.alphaomega.omega.spring.config.IntendedClients.Client;
import io.alphaomega.omega.spring.method.Names;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;

/** Beans that take part in nothing although their types have annotations: mocks, and proxies of what is elsewhere. */
public final class Bystanders {
    private static final Logger log = LoggerFactory.getLogger(Bystanders.class);

    private final Set<String> mockedBranches = ConcurrentHashMap.newKeySet();
    private final Map<String, Client> unknown = new ConcurrentSkipListMap<>();

    public void add(String beanName, Object bean) {
        Class<?> elsewhere = Participants.interfaceElsewhere(bean).orElse(null);
        if (elsewhere == null) {
            Class<?> mocked = Participants.mocked(bean);
            for (Method branch : CallbackFinder.branches(mocked)) mockedBranches.add(Names.operation(mocked, branch));
            return;
        }
        Object target = AopProxyUtils.getSingletonTarget(bean);
        Object proxy = target == null ? bean : target;
        if (InterfaceProxies.isClient(proxy)) return;
        String text = "'%s' (%s, by %s)".formatted(beanName, elsewhere.getName(), InterfaceProxies.handler(proxy));
        unknown.put(beanName, new Client(beanName, text));
    }

    /** Whether a mock stands for the bean with that branch. */
    public boolean isMocked(String operation) {
        return mockedBranches.contains(operation);
    }

    /** Says which may be no clients after all. */
    public void warn(IntendedClients intended) {
        List<String> unanswered = intended.others(unknown.values());
        if (unanswered.isEmpty()) return;
        log.warn(
                "These beans are proxies with nothing but an interface behind them, and are taken for clients of other"
                        + " services: the saga annotations of their interfaces do nothing here, and what they call is no"
                        + " branch of this service. {}. If one does its work in this service, call it in an annotated"
                        + " method of a class; name those that are clients in omega.clients.intended.",
                String.join(", ", unanswered));
    }
}
