package io.alphaomega.omega.spring.definition;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.util.ClassUtils;

/**
 * Whose annotations count for an object: those of the class that somebody wrote, or of the interface where nobody did, as
 * for a lambda or a mapper. A mock takes part in nothing, and neither does a proxy of what is elsewhere.
 */
public final class Participants {
    private static final ClassValue<Class<?>> WRITTEN = new ClassValue<>() {
        @Override
        protected Class<?> computeValue(Class<?> type) {
            return written(type);
        }
    };

    private static final ClassValue<Optional<Class<?>>> INTERFACE = new ClassValue<>() {
        @Override
        protected Optional<Class<?>> computeValue(Class<?> type) {
            return ClassUtils.getAllInterfacesForClassAsSet(type).stream()
                    .filter(AnnotatedMethods::areIn)
                    .findFirst();
        }
    };

    private Participants() {}

    /** The class of a bean that comes, or null if it takes part in nothing. */
    public static @Nullable Class<?> classOf(Object bean) {
        Mocks.noticeUse();
        return classOfCalled(bean);
    }

    /** The same of one that has come before, for each call of it. */
    static @Nullable Class<?> classOfCalled(Object bean) {
        if (bean instanceof FactoryBean)
            return WRITTEN.get(bean.getClass()); // One may be a proxy of its product besides.
        Object target = bean;
        for (Object next = bean; next != null; next = AopProxyUtils.getSingletonTarget(next)) {
            if (Mocks.isMock(next)) return null;
            target = next;
        }
        Class<?> type = WRITTEN.get(AopProxyUtils.ultimateTargetClass(target));
        if (hasNoClass(type))
            return isElsewhere(target) ? null : interfaceOf(target).orElse(type);
        if (!Proxy.isProxyClass(bean.getClass())) return type;
        return interfaceOf(bean).filter(each -> !each.isAssignableFrom(type)).orElse(type);
    }

    /** The class that a mock stands for. */
    static Class<?> mocked(Object mock) {
        Class<?> type = WRITTEN.get(AopProxyUtils.ultimateTargetClass(mock));
        return hasNoClass(type) ? interfaceOf(mock).orElse(type) : type;
    }

    /** The interface with annotations of a proxy of what is elsewhere, if it is one. */
    static Optional<Class<?>> interfaceElsewhere(Object bean) {
        Object target = AopProxyUtils.getSingletonTarget(bean);
        Object proxy = target == null ? bean : target;
        return isElsewhere(proxy) ? interfaceOf(proxy) : Optional.empty();
    }

    private static boolean isElsewhere(Object target) {
        return Proxy.isProxyClass(target.getClass())
                && !Mocks.isMock(target)
                && hasNoClass(AopProxyUtils.ultimateTargetClass(target))
                && !InterfaceProxies.workHere(target);
    }

    private static Optional<Class<?>> interfaceOf(Object bean) {
        return INTERFACE.get(bean.getClass());
    }

    private static boolean hasNoClass(Class<?> type) {
        return type == Object.class || type.isHidden() || type.isInterface() || Proxy.isProxyClass(type);
    }

    private static Class<?> written(Class<?> type) {
        Class<?> written = ClassUtils.getUserClass(type);
        while (written.getName().contains(Mocks.SUBCLASS) || written.getName().contains("$ByteBuddy$")) {
            written = written.getSuperclass();
        }
        return written;
    }

    /** The object itself, without its proxies. */
    public static Object target(Object bean) {
        Object target = bean;
        for (Object next = bean; next != null; next = AopProxyUtils.getSingletonTarget(next)) target = next;
        return target;
    }
}
