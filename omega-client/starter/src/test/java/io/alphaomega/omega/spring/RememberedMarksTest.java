package io.alphaomega.omega.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.alphaomega.omega.spring.autoconfigure.OmegaReactiveFenceAutoConfiguration;
import io.alphaomega.omega.stream.AlphaClient;
import io.alphaomega.omega.stream.ScriptedAlpha;
import io.alphaomega.protocol.v1.StoreMark;
import io.r2dbc.h2.H2ConnectionConfiguration;
import io.r2dbc.h2.H2ConnectionFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;

/** What a service knows of alpha's store when every process has been restarted. */
class RememberedMarksTest {
    @TempDir
    Path directory;

    private static StoreMark mark(String run, long number) {
        return StoreMark.newBuilder()
                .setStore("store")
                .setRun(run)
                .setNumber(number)
                .setAtMillis(1_000 * number)
                .build();
    }

    /** Starts a service, has alpha tell it a mark, and stops both; what the service said that it had seen. */
    private List<StoreMark> run(ApplicationContextRunner service, StoreMark told) {
        List<StoreMark> seen = new ArrayList<>();
        try (ScriptedAlpha alpha = new ScriptedAlpha("alpha-1")) {
            service.withPropertyValues("omega.alpha.addresses=" + alpha.address(), "omega.drain-timeout=100ms")
                    .run(context -> {
                        assertThat(context).hasNotFailed();
                        await().until(() -> !alpha.conversations.isEmpty()
                                && !alpha.conversations.get(0).hellos.isEmpty());
                        ScriptedAlpha.Conversation conversation = alpha.conversations.get(0);
                        seen.addAll(conversation.hellos.get(0).getSeenList());
                        conversation.marks(told);
                        AlphaClient client = context.getBean(AlphaClient.class);
                        await().until(() -> client.seen().contains(told));
                    });
        }
        return seen;
    }

    @Test
    void an_instance_that_is_new_says_what_those_before_it_were_told() {
        ApplicationContextRunner service = Applications.withDatabase(directory);
        assertThat(run(service, mark("one", 1))).isEmpty();
        assertThat(run(service, mark("two", 7))).containsExactly(mark("one", 1));
        assertThat(run(service, mark("one", 2))).containsExactlyInAnyOrder(mark("one", 1), mark("two", 7));
        assertThat(run(service, mark("two", 8))).containsExactlyInAnyOrder(mark("one", 2), mark("two", 7));
    }

    /** The same table, so that a service may move from one to the other. */
    @Test
    void it_is_so_through_r2dbc_as_well() {
        ApplicationContextRunner service = Applications.plain()
                .withConfiguration(AutoConfigurations.of(OmegaReactiveFenceAutoConfiguration.class))
                .withBean(
                        R2dbcTransactionManager.class,
                        () -> new R2dbcTransactionManager(new H2ConnectionFactory(H2ConnectionConfiguration.builder()
                                .file(directory.resolve("marks").toString())
                                .build())));
        assertThat(run(service, mark("one", 1))).isEmpty();
        assertThat(run(service, mark("two", 7))).containsExactly(mark("one", 1));
    }

    @Test
    void a_service_without_a_database_knows_what_its_process_was_told() {
        assertThat(run(Applications.plain(), mark("one", 1))).isEmpty();
        assertThat(run(Applications.plain(), mark("one", 2))).isEmpty();
    }

    @Test
    void a_row_that_cannot_be_read_keeps_no_service_from_running_and_is_written_anew() {
        ApplicationContextRunner service = Applications.withDatabase(directory);
        assertThat(run(service, mark("one", 1))).isEmpty();
        JdbcClient database = JdbcClient.create(new DriverManagerDataSource(Applications.url(directory)));
        assertThat(database.sql("update omega_fence set result = x'ff' where op = 'seen'")
                        .update())
                .isEqualTo(1);
        assertThat(run(service, mark("two", 7))).isEmpty();
        assertThat(run(service, mark("two", 8))).contains(mark("two", 7));
    }
}
