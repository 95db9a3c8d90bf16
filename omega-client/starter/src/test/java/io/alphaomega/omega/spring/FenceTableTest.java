package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.omega.fence.Fence;
import io.alphaomega.omega.spring.fencing.FencedExecution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.LazyInitializationBeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** When the fence's table is made, in services whose schema others make as well. */
class FenceTableTest {
    @TempDir
    Path directory;

    /** Uses the fence early, as some bean always may. */
    static class Early {
        Early(FencedExecution localWork) {
            assertThat(localWork.fences()).isTrue();
        }
    }

    /** Flyway refuses a schema that is not empty and has no history. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void it_is_made_after_flyways_migrations(boolean lazy) {
        application(lazy)
                .withConfiguration(AutoConfigurations.of(BootUnderTest.FLYWAY))
                .withPropertyValues("spring.flyway.locations=classpath:migrations")
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(FencedExecution.class).fences()).isTrue();
                    assertThat(tables(context.getBean(JdbcClient.class))).contains("stock", "omega_fence");
                });
    }

    /** Whose change makes the table itself, and fails if that is there already. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void it_may_be_made_by_a_change_of_liquibase(boolean lazy) throws Exception {
        Path changes = directory.resolve("changes.sql");
        Files.writeString(
                changes,
                "--liquibase formatted sql\n--changeset shop:1\n" + String.join(";\n", Fence.ddl("SQLite")) + ";\n");
        application(lazy)
                .withConfiguration(AutoConfigurations.of(BootUnderTest.LIQUIBASE))
                .withPropertyValues("spring.liquibase.change-log=file:" + changes)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(FencedExecution.class).fences()).isTrue();
                    assertThat(tables(context.getBean(JdbcClient.class)))
                            .contains("DATABASECHANGELOG")
                            .containsOnlyOnce("omega_fence");
                });
    }

    /** As with any other initializer that Spring Boot knows. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void it_may_be_made_by_a_script_of_the_services_own(boolean lazy) throws Exception {
        Path script = directory.resolve("schema.sql");
        Files.writeString(script, String.join(";\n", Fence.ddl("SQLite")) + ";\n");
        application(lazy)
                .withConfiguration(AutoConfigurations.of(BootUnderTest.SCRIPTS))
                .withPropertyValues("spring.sql.init.mode=always", "spring.sql.init.schema-locations=file:" + script)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(context.getBean(FencedExecution.class).fences()).isTrue();
                    assertThat(tables(context.getBean(JdbcClient.class))).containsOnlyOnce("omega_fence");
                });
    }

    @Test
    void it_is_made_where_there_are_no_migrations() {
        application(false).run(context -> {
            assertThat(context).hasNotFailed();
            assertThat(tables(context.getBean(JdbcClient.class))).contains("omega_fence");
        });
    }

    @Test
    void where_the_service_makes_it_itself_and_has_not_it_is_named_with_the_statements() {
        application(false)
                .withPropertyValues("omega.fence.create-table=false")
                .run(context -> Applications.assertRefused(
                        context, "table omega_fence cannot be read", "Create it with: CREATE TABLE omega_fence ("));
    }

    @Test
    void a_table_that_was_there_gets_an_id_which_stays() throws Exception {
        DataSource database = new DriverManagerDataSource(Applications.url(directory));
        Fence fence = new Fence(Clock.systemUTC());
        fence.createTableIfMissing(database);
        List<String> ids = new CopyOnWriteArrayList<>();
        for (int start = 0; start < 2; start++) {
            application(false)
                    .withPropertyValues("omega.fence.create-table=false")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        ids.addAll(context.getBean(FencedExecution.class)
                                .knownFences()
                                .get(0)
                                .ids());
                    });
        }
        assertThat(ids.get(0)).hasSize(16).isEqualTo(ids.get(1)).isEqualTo(fence.id(database));
    }

    private ApplicationContextRunner application(boolean lazy) {
        ApplicationContextRunner application = Applications.withDatabase(directory)
                .withBean("aaa", Early.class)
                .withBean(StartUpTest.GoodShop.class);
        return lazy
                ? application.withInitializer(context ->
                        context.addBeanFactoryPostProcessor(new LazyInitializationBeanFactoryPostProcessor()))
                : application;
    }

    private static List<String> tables(JdbcClient database) {
        return database.sql("select name from sqlite_master where type = 'table'")
                .query((row, n) -> row.getString(1))
                .list();
    }
}
