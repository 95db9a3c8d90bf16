package io.alphaomega.server.log;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.boot.context.logging.LoggingApplicationListener;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/** Puts a {@link LogQueue} before everything that writes the log, whoever has set it up. */
public final class QueuedLog implements ApplicationListener<ApplicationEnvironmentPreparedEvent>, Ordered {
    /** Once Spring Boot has set up what writes. */
    @Override
    public int getOrder() {
        return LoggingApplicationListener.DEFAULT_ORDER + 1;
    }

    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent event) {
        for (Logger logger : context().getLoggerList()) {
            for (Appender<ILoggingEvent> appender : appenders(logger)) {
                if (appender instanceof LogQueue) continue;
                logger.detachAppender(appender);
                logger.addAppender(LogQueue.before(appender));
            }
        }
    }

    /** Returns when everything is written that was logged before, or after that time. */
    static void awaitWritten(Duration within) {
        long end = System.nanoTime() + within.toNanos();
        List<CountDownLatch> marks = context().getLoggerList().stream()
                .flatMap(logger -> appenders(logger).stream())
                .flatMap(appender -> appender instanceof LogQueue queue ? Stream.of(queue.mark()) : Stream.empty())
                .toList();
        try {
            for (CountDownLatch mark : marks) {
                if (!mark.await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) return;
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static LoggerContext context() {
        return (LoggerContext) LoggerFactory.getILoggerFactory();
    }

    private static List<Appender<ILoggingEvent>> appenders(Logger logger) {
        List<Appender<ILoggingEvent>> all = new ArrayList<>();
        logger.iteratorForAppenders().forEachRemaining(all::add);
        return all;
    }
}
