package io.alphaomega.omega.spring.definition;

import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;

/** Proxies by interface with no object behind them: what they do, they do here or let others do. */
final class InterfaceProxies {
    /** Of MyBatis: they write to the service's own database. */
    private static final Set<String> MAPPERS = Set.of(
            "org.apache.ibatis.binding.MapperProxy", "com.baomidou.mybatisplus.core.override.MybatisMapperProxy");

    /** Of clients, which let another service do it. */
    private static final List<String> CLIENTS = List.of(
            "feign.", "org.springframework.cloud.openfeign.", "org.springframework.web.service.", "org.apache.dubbo.");

    private InterfaceProxies() {}

    static boolean workHere(Object proxy) {
        return MAPPERS.contains(Proxy.getInvocationHandler(proxy).getClass().getName());
    }

    /** Whether it is known to be a client of another service. */
    static boolean isClient(Object proxy) {
        return handlers(proxy).anyMatch(handler -> CLIENTS.stream().anyMatch(handler::startsWith));
    }

    /** What does the work, as far as can be told. */
    static String handler(Object proxy) {
        List<String> handlers = handlers(proxy).toList();
        return handlers.get(handlers.size() - 1);
    }

    private static Stream<String> handlers(Object proxy) {
        if (!(proxy instanceof Advised advised)) {
            return Stream.of(Proxy.getInvocationHandler(proxy).getClass().getName());
        }
        return Stream.concat(
                Stream.of(advised.getTargetSource().getClass().getName()),
                Arrays.stream(advised.getAdvisors())
                        .map(Advisor::getAdvice)
                        .map(advice -> advice.getClass().getName()));
    }
}
