package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.alphaomega.omega.fence.Forward.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;

/** MariaDB's drivers log a warning for each error of the server: what the fence expects must be none. */
final class QuietDriversTest {
    interface Database {
        Participant empty() throws Exception;
    }

    static Stream<Arguments> databases() {
        return Stream.of(Databases.MARIADB, Databases.MYSQL, Databases.POSTGRESQL)
                .flatMap(server -> Stream.of(
                        Arguments.of(Named.<Database>of(
                                server + " by JDBC", () -> new JdbcParticipant(server.dataSource()))),
                        Arguments.of(Named.<Database>of(
                                server + " by R2DBC",
                                () -> new R2dbcParticipant(server.connections(), server.isolation())))));
    }

    /** The other tests cause errors, which are no news there. */
    private static final List<Logger> SILENCED = Stream.of("jdbc", "r2dbc")
            .map(api -> logger("org.mariadb.%s.message.server.ErrorPacket".formatted(api)))
            .toList();

    /** What is written by others, as clients of servers that have stopped, is not looked at. */
    private static final List<Logger> DRIVERS = Stream.of(
                    "org.mariadb", "com.mysql", "io.asyncer", "org.postgresql", "io.r2dbc")
            .map(QuietDriversTest::logger)
            .toList();

    private final ListAppender<ILoggingEvent> written = new ListAppender<>();

    private static Logger logger(String name) {
        return (Logger) LoggerFactory.getLogger(name);
    }

    @BeforeEach
    void listen() {
        SILENCED.forEach(driver -> driver.setLevel(Level.WARN));
        written.start();
        DRIVERS.forEach(driver -> driver.addAppender(written));
    }

    @AfterEach
    void stop() {
        DRIVERS.forEach(driver -> driver.detachAppender(written));
        SILENCED.forEach(driver -> driver.setLevel(Level.OFF));
    }

    @AfterAll
    static void stopServers() {
        Databases.stop();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void what_was_done_and_is_undone_and_comes_again_is_no_warning_of_a_driver(Database database) throws Exception {
        Participant participant = database.empty();
        written.list.clear(); // The first use drops a table that is not there.
        String branch = "quiet-" + System.identityHashCode(participant);

        assertThat(participant.forward(branch)).isEqualTo(Verdict.RUN);
        assertThat(participant.forward(branch)).isEqualTo(Verdict.DUPLICATE);
        assertThat(participant.compensate(branch, true)).isEqualTo(Compensation.RUN);
        assertThat(participant.compensate(branch, true)).isEqualTo(Compensation.DONE_BEFORE);
        assertThat(participant.forward(branch)).isEqualTo(Verdict.REFUSED);

        assertThat(written.list)
                .filteredOn(event -> event.getLevel().isGreaterOrEqual(Level.WARN)
                        || event.getFormattedMessage().contains("Duplicate entry"))
                .isEmpty();
    }
}
