package io.alphaomega.server.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.status.Status;
import io.alphaomega.repository.servers.Patience;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is logged while nobody reads it, and afterwards. */
class LogQueueTest {
    private final LoggerContext context = new LoggerContext();
    private final Logger logger = context.getLogger("test");
    private final CountDownLatch reads = new CountDownLatch(1);
    private final CountDownLatch hasOne = new CountDownLatch(1);
    private final List<String> written = new CopyOnWriteArrayList<>();
    private final PatternLayout layout = new PatternLayout();
    private final AppenderBase<ILoggingEvent> slow = new AppenderBase<>() {
        @Override
        protected void append(ILoggingEvent event) {
            hasOne.countDown();
            try {
                reads.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            written.add(layout.doLayout(event));
        }
    };

    @SuppressWarnings("NullAway.Init") // By JUnit.
    private LogQueue queue;

    @BeforeEach
    void open() {
        context.setMDCAdapter(new LogbackMDCAdapter());
        layout.setContext(context);
        layout.setPattern("%p %m%n%ex");
        layout.start();
        slow.setContext(context);
        slow.start();
        queue = LogQueue.before(slow);
        logger.addAppender(queue);
    }

    @AfterEach
    void close() {
        reads.countDown();
        context.stop();
    }

    @Test
    void nobody_waits_for_a_reader_that_has_stopped_and_warnings_have_half_of_the_room_for_themselves()
            throws Exception {
        int half = LogQueue.CAPACITY / 2;
        logger.info("info");
        hasOne.await();
        for (int i = 0; i < LogQueue.CAPACITY; i++) logger.info("info {}", i);
        int free = queue.getRemainingCapacity();
        assertThat(free).isBetween(half - 1, half);
        for (int i = 0; i < half - 2; i++) logger.warn("warning {}", i);
        CountDownLatch mark = queue.mark();

        reads.countDown();
        assertThat(mark.await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS)).isTrue();

        assertThat(written).filteredOn(line -> line.startsWith("WARN warning")).hasSize(half - 2);
        assertThat(written).filteredOn(line -> line.startsWith("INFO info")).hasSize(1 + LogQueue.CAPACITY - free);
        assertThat(written)
                .filteredOn(line -> line.contains(" lines of the log are missing here"))
                .singleElement()
                .asString()
                .startsWith("WARN " + free + " lines");
    }

    /** As threads do that are still at work when a stop comes during the start. */
    @Test
    void what_is_logged_after_the_end_of_the_log_is_no_complaint() {
        reads.countDown();
        queue.stop();

        logger.info("too late");

        assertThat(written).isEmpty();
        assertThat(context.getStatusManager().getCopyOfStatusList())
                .filteredOn(status -> status.getLevel() > Status.INFO)
                .isEmpty();
    }

    @Test
    void a_full_queue_makes_nobody_wait_either() {
        for (int i = 0; i < 3 * LogQueue.CAPACITY; i++) logger.warn("warning {}", i);
        assertThat(queue.getRemainingCapacity()).isZero();
    }

    @Test
    void what_was_logged_is_written_before_the_end() {
        reads.countDown();
        for (int i = 0; i < LogQueue.CAPACITY / 4; i++) logger.info("info {}", i);
        logger.error("the last");
        context.stop();
        assertThat(written.getLast()).startsWith("ERROR the last");
    }

    @Test
    void an_exception_has_its_lines_and_nobody_else_in_it() throws Exception {
        reads.countDown();
        Exception cause = new IllegalStateException("cause\nERROR forged by a cause");
        Exception suppressed = new IllegalStateException("suppressed\rERROR forged by what was suppressed");
        Exception thrown = new IllegalStateException("thrown\u2028ERROR forged by what was thrown", cause);
        thrown.addSuppressed(suppressed);
        logger.warn("said {}", "x\nERROR forged by an argument", thrown);
        assertThat(queue.mark().await(Patience.LIMIT.toMillis(), TimeUnit.MILLISECONDS))
                .isTrue();

        assertThat(written).hasSize(1);
        assertThat(written.getFirst().lines())
                .noneMatch(line -> line.startsWith("ERROR"))
                .anyMatch(line -> line.startsWith("Caused by: java.lang.IllegalStateException: cause\\nERROR"))
                .anyMatch(line -> line.startsWith("\tat io.alphaomega"))
                .anyMatch(line -> line.contains("suppressed\\rERROR"));
        assertThat(written.getFirst()).doesNotContain("\u2028");
    }
}
