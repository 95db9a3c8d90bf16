package io.alphaomega.omega.spring;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.LoggerFactory;

/** What omega warns of while this is open, on whichever thread; in applications that are running when it opens. */
final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger("io.alphaomega.omega");
    private final List<String> said = new CopyOnWriteArrayList<>();

    private Warnings() {}

    static Warnings ofOmega() {
        Warnings warnings = new Warnings();
        warnings.start();
        warnings.logger.addAppender(warnings);
        return warnings;
    }

    @Override
    protected void append(ILoggingEvent event) {
        // Of the stream to an alpha that is not there the page does not tell.
        if (event.getLevel() == Level.WARN && event.getLoggerName().contains(".spring.")) {
            said.add(event.getFormattedMessage());
        }
    }

    List<String> said() {
        return said;
    }

    @Override
    public void close() {
        logger.detachAppender(this);
        stop();
    }
}
