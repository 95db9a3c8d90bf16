package io.alphaomega.server.log;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.alphaomega.repository.servers.Patience;
import io.alphaomega.server.cluster.Downed;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;

/** What a process logged last, however it ended. */
class LastLineTest {
    /** Fewer than are dropped, more than are written in passing. */
    private static final int LINES = 3_000;

    private static final String LAST = "this is the last line";

    @TempDir
    @SuppressWarnings("NullAway.Init") // By JUnit.
    private Path directory;

    /** The ways to end, by the codes that docs/operating/starting.md gives them. */
    enum End {
        STOPPED(0) {
            @Override
            void end() {
                System.exit(0);
            }
        },
        REFUSED(1) {
            @Override
            void end() {
                System.exit(1);
            }
        },
        OVERDUE(2) {
            @Override
            void end() {
                Announcement.make(System.err, "too late");
                Runtime.getRuntime().halt(2);
            }
        },
        DOWNED(4) {
            @Override
            void end() {
                Downed.withoutStore().run();
            }
        };

        private final int code;

        End(int code) {
            this.code = code;
        }

        abstract void end();
    }

    /** The process. */
    static final class Ending {
        private static final Logger LOG = LoggerFactory.getLogger(Ending.class);

        private Ending() {}

        public static void main(String[] end) {
            SpringApplication application = new SpringApplication(Object.class);
            application.setWebApplicationType(WebApplicationType.NONE);
            application.addListeners(new QueuedLog());
            application.run();
            for (int i = 0; i < LINES; i++) LOG.info("line {}", i);
            LOG.warn(LAST);
            End.valueOf(end[0]).end();
        }
    }

    @ParameterizedTest
    @EnumSource
    void the_last_line_is_written_however_alpha_ends(End end) throws Exception {
        File out = directory.resolve("out").toFile();
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElse("java"),
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        Ending.class.getName(),
                        end.name())
                .redirectErrorStream(true)
                .redirectOutput(out)
                .start();
        assertThat(process.waitFor(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();
        String said = Files.readString(out.toPath(), UTF_8);
        assertThat(process.exitValue()).as(said).isEqualTo(end.code);
        assertThat(said).contains("line " + (LINES - 1), LAST);
    }
}
