package io.alphaomega.omega.fence;

import static io.alphaomega.omega.test.OmegaAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.test.OmegaTest;
import io.alphaomega.omega.test.TestAlpha;
import io.alphaomega.repository.servers.DatabaseServer;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.MultiTenantConnectionProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.annotation.Transactional;

/** Tenants that Hibernate leads to their schema or their database: the fence's row is where the transaction is. */
public class HibernateTenantsTest {
    private static final ThreadLocal<@Nullable String> TENANT = new ThreadLocal<>();

    private static @Nullable DataSource pool;

    @BeforeAll
    static void makeSchemas() throws SQLException {
        for (String tenant : List.of("red", "blue")) {
            JdbcClient.create(Databases.POSTGRESQL.dataSource())
                    .sql("create schema " + tenant)
                    .update();
            makeTables(tenant(tenant));
        }
        makeTables(Databases.POSTGRESQL.dataSource());
    }

    private static void makeTables(DataSource database) throws SQLException {
        JdbcClient.create(database)
                .sql("create table page (id varchar(20) primary key)")
                .update();
        new Fence(Clock.systemUTC()).createTableIfMissing(database);
    }

    @AfterAll
    static void stop() {
        Databases.stop();
    }

    /** Leads to nothing else. */
    private static DataSource tenant(String name) {
        String url = Databases.POSTGRESQL.url();
        return new DriverManagerDataSource(
                url + (url.contains("?") ? "&" : "?") + "currentSchema=" + name,
                DatabaseServer.USER,
                DatabaseServer.PASSWORD);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Desk.class, Evening.class, TenantInterceptor.class})
    static class Library {
        @Bean
        HikariDataSource dataSource() {
            HikariDataSource all = Databases.POSTGRESQL.pool();
            pool = all;
            return all;
        }
    }

    @Entity(name = "page")
    static class Page {
        @Id
        String id = "";
    }

    static class Evening {
        @SagaStart
        public void plan(Runnable business) {
            business.run();
        }
    }

    static class Desk {
        private final EntityManager entities;

        Desk(EntityManagerFactory entities) {
            this.entities = SharedEntityManagerCreator.createSharedEntityManager(entities);
        }

        @Transactional
        @Compensable(compensationMethod = "erase")
        public void write(String id) {
            persist(id);
        }

        /** In the transaction that the fence begins. */
        @Compensable(compensationMethod = "erase")
        public void writeWithout(String id) {
            persist(id);
        }

        private void persist(String id) {
            Page page = new Page();
            page.id = id;
            entities.persist(page);
        }

        public void erase(String id) {
            entities.remove(entities.find(Page.class, id));
        }
    }

    static class TenantInterceptor implements CallbackInterceptor {
        @Override
        public Map<String, String> capture() {
            return Map.of("tenant", Objects.requireNonNull(TENANT.get()));
        }

        @Override
        public void intercept(CallbackInvocation callback) throws Throwable {
            TENANT.set(callback.captured().get("tenant"));
            try {
                callback.proceed();
            } finally {
                TENANT.remove();
            }
        }
    }

    /** Nobody's is the schema of all. Hibernate makes it, as it does the others that are public. */
    public static final class Tenants implements CurrentTenantIdentifierResolver<String> {
        @Override
        public String resolveCurrentTenantIdentifier() {
            String tenant = TENANT.get();
            return tenant == null ? "public" : tenant;
        }

        @Override
        public boolean validateExistingCurrentSessions() {
            return true;
        }
    }

    /** Sets the schema of what it takes from the one pool. */
    public static class BySchema implements MultiTenantConnectionProvider<String> {
        @Override
        public Connection getAnyConnection() throws SQLException {
            return Objects.requireNonNull(pool).getConnection();
        }

        @Override
        public void releaseAnyConnection(Connection connection) throws SQLException {
            connection.close();
        }

        @Override
        public Connection getConnection(String tenant) throws SQLException {
            Connection connection = getAnyConnection();
            connection.setSchema(tenant);
            return connection;
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.setSchema("public");
            connection.close();
        }

        @Override
        public boolean supportsAggressiveRelease() {
            return false;
        }

        @Override
        public boolean isUnwrappableAs(Class<?> type) {
            return false;
        }

        @Override
        public <T> T unwrap(Class<T> type) {
            throw new IllegalArgumentException(type.getName());
        }
    }

    /** Takes it from where the tenant's are. */
    public static final class ByDatabase extends BySchema {
        @Override
        public Connection getConnection(String tenant) throws SQLException {
            return tenant(tenant).getConnection();
        }

        @Override
        public void releaseConnection(String tenant, Connection connection) throws SQLException {
            connection.close();
        }
    }

    @Nested
    @SpringBootTest(
            classes = Library.class,
            properties = {
                "spring.application.name=library",
                "spring.jpa.hibernate.ddl-auto=none",
                "spring.jpa.open-in-view=false",
                "spring.jpa.properties.hibernate.tenant_identifier_resolver=io.alphaomega.omega.fence.HibernateTenantsTest$Tenants",
                "spring.jpa.properties.hibernate.multi_tenant_connection_provider=io.alphaomega.omega.fence.HibernateTenantsTest$BySchema"
            })
    @OmegaTest
    class OfSchemas extends Stories {}

    @Nested
    @SpringBootTest(
            classes = Library.class,
            properties = {
                "spring.application.name=library",
                "spring.jpa.hibernate.ddl-auto=none",
                "spring.jpa.open-in-view=false",
                "spring.jpa.properties.hibernate.tenant_identifier_resolver=io.alphaomega.omega.fence.HibernateTenantsTest$Tenants",
                "spring.jpa.properties.hibernate.multi_tenant_connection_provider=io.alphaomega.omega.fence.HibernateTenantsTest$ByDatabase"
            })
    @OmegaTest
    class OfDatabases extends Stories {}

    abstract static class Stories {
        @Autowired
        private Desk desk;

        @Autowired
        private Evening evening;

        @Autowired
        private TestAlpha alpha;

        @BeforeEach
        void empty() {
            for (String schema : List.of("red", "blue", "public")) {
                JdbcClient database = JdbcClient.create(tenant(schema));
                database.sql("delete from page").update();
                database.sql("delete from omega_fence where op <> 'id'").update();
            }
        }

        @Test
        void each_branch_is_behind_the_fence_of_its_tenant() {
            as("red", () -> evening.plan(() -> desk.write("1")));
            as("blue", () -> evening.plan(() -> desk.writeWithout("2")));
            as("red", () -> evening.plan(() -> desk.writeWithout("3")));

            assertThat(pages("red")).containsExactly("1", "3");
            assertThat(pages("blue")).containsExactly("2");
            assertThat(List.of(rows("red"), rows("blue"), rows("public"))).containsExactly(2L, 1L, 0L);
        }

        @Test
        void so_are_its_callbacks() {
            as("red", () -> evening.plan(() -> desk.write("1")));
            alpha.reset();
            as(
                    "red",
                    () -> assertThatThrownBy(() -> evening.plan(() -> {
                                desk.write("2");
                                desk.writeWithout("3");
                                throw new IllegalStateException("closed");
                            }))
                            .hasMessage("closed"));

            assertThat(alpha.saga())
                    .compensated("HibernateTenantsTest.Desk.writeWithout", "HibernateTenantsTest.Desk.write");
            assertThat(pages("red")).containsExactly("1");
            assertThat(rows("public")).isZero();
        }

        @Test
        void several_branches_of_one_transaction_begin_behind_its_fence() {
            as(
                    "blue",
                    () -> evening.plan(() -> {
                        desk.write("1");
                        desk.write("2");
                    }));
            assertThat(alpha.saga()).committed();
            assertThat(rows("blue")).isEqualTo(2);
        }

        private static void as(String tenant, Runnable business) {
            TENANT.set(tenant);
            try {
                business.run();
            } finally {
                TENANT.remove();
            }
        }

        private static List<@Nullable String> pages(String tenant) {
            return JdbcClient.create(tenant(tenant))
                    .sql("select id from page order by id")
                    .query(String.class)
                    .list();
        }

        private static long rows(String tenant) {
            return JdbcClient.create(tenant(tenant))
                    .sql("select count(*) from omega_fence where op = 'forward'")
                    .query(Long.class)
                    .single();
        }
    }
}
