package io.alphaomega.omega.fence;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import io.alphaomega.omega.fence.Forward.Verdict;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.slf4j.LoggerFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** MariaDB's drivers log a warning for each error of the server: what the fence expects must be none. */
@ExtendWith(OutputCaptureExtension.class)
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
    private static final List<Logger> DRIVERS = Stream.of("jdbc", "r2dbc")
            .map(api -> "org.mariadb.%s.message.server.ErrorPacket".formatted(api))
            .map(name -> (Logger) LoggerFactory.getLogger(name))
            .toList();

    @BeforeAll
    static void listen() {
        DRIVERS.forEach(driver -> driver.setLevel(Level.WARN));
    }

    @AfterAll
    static void stop() {
        DRIVERS.forEach(driver -> driver.setLevel(Level.OFF));
        Databases.stop();
    }

    @ParameterizedTest
    @MethodSource("databases")
    void what_was_done_and_is_undone_and_comes_again_is_no_warning_of_a_driver(Database database, CapturedOutput log)
            throws Exception {
        Participant participant = database.empty();
        String branch = "quiet-" + System.identityHashCode(participant);
        int before = log.getAll().length();

        assertThat(participant.forward(branch)).isEqualTo(Verdict.RUN);
        assertThat(participant.forward(branch)).isEqualTo(Verdict.DUPLICATE);
        assertThat(participant.compensate(branch, true)).isEqualTo(Compensation.RUN);
        assertThat(participant.compensate(branch, true)).isEqualTo(Compensation.DONE_BEFORE);
        assertThat(participant.forward(branch)).isEqualTo(Verdict.REFUSED);

        assertThat(log.getAll().substring(before)).doesNotContain("WARN", "ERROR", "Duplicate entry");
    }
}
