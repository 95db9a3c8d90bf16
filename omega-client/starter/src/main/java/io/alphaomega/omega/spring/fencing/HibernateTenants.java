package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.spring.config.Foreign;
import java.util.List;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Tenants of Hibernate's, each with a database, a schema or a user of its own: which one a transaction is in, Hibernate
 * chooses when that begins, and not the DataSource of its manager.
 */
final class HibernateTenants {
    private HibernateTenants() {}

    /** Whether Hibernate chooses the database of each transaction of that manager. */
    static boolean choose(PlatformTransactionManager manager) {
        for (String accessor : List.of("getEntityManagerFactory", "getSessionFactory")) {
            Object factory = Foreign.ask(manager, accessor);
            Object options = factory == null ? null : Foreign.ask(factory, "getSessionFactoryOptions");
            if (options != null) return isChosenBy(options);
        }
        return false;
    }

    private static boolean isChosenBy(Object options) {
        return Boolean.TRUE.equals(Foreign.ask(options, "isMultiTenancyEnabled"))
                || Foreign.ask(options, "getTenantSchemaMapper") != null
                || Foreign.ask(options, "getTenantCredentialsMapper") != null;
    }
}
