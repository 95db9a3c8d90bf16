package io.alphaomega.omega.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Tenants of Hibernate's, each with a database, a schema or a user of its own: which one a transaction is in, Hibernate
 * chooses when that begins, and not the DataSource of its manager.
 */
final class HibernateTenants {
    private HibernateTenants() {}

    /** Whether Hibernate chooses the database of each transaction of that manager. */
    static boolean choose(PlatformTransactionManager manager) {
        for (String accessor : List.of("getEntityManagerFactory", "getSessionFactory")) {
            Object factory = ask(manager, accessor);
            Object options = factory == null ? null : ask(factory, "getSessionFactoryOptions");
            if (options != null) return isChosenBy(options);
        }
        return false;
    }

    private static boolean isChosenBy(Object options) {
        return Boolean.TRUE.equals(ask(options, "isMultiTenancyEnabled"))
                || ask(options, "getTenantSchemaMapper") != null
                || ask(options, "getTenantCredentialsMapper") != null;
    }

    /** By an interface where one has it: proxies and Hibernate's own classes need not be accessible. */
    private static @Nullable Object ask(Object of, String question) {
        List<Class<?>> types = new ArrayList<>(Arrays.asList(ClassUtils.getAllInterfacesForClass(of.getClass())));
        types.add(of.getClass());
        for (Class<?> type : types) {
            Method method = ReflectionUtils.findMethod(type, question);
            if (method != null) return ReflectionUtils.invokeMethod(method, of);
        }
        return null;
    }
}
