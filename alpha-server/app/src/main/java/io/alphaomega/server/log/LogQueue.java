package io.alphaomega.server.log;

import ch.qos.logback.classic.AsyncAppender;
import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.UnsynchronizedAppenderBase;
import io.alphaomega.saga.BranchId;
import io.alphaomega.saga.SagaId;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.logging.logback.StructuredLogEncoder;

/**
 * What is logged and not written yet. A thread of its own writes it, so that nobody waits for a terminal that is paused or a
 * pipe that nobody reads: sagas are decided on the threads of the network and of the store.
 *
 * <p>It is bounded. When half of it is full, what is below a warning is dropped; warnings and errors only when all of it is,
 * as the choice then is between them and the sagas. How many were dropped is the next line that is written.
 */
final class LogQueue extends AsyncAppender {
    /** Some 2 MB of lines; an outage that is told by each of 500 streams fits into the half for warnings many times. */
    static final int CAPACITY = 8_192;

    /** Is in the queue to learn when everything before it was written. */
    private static final class Mark extends LoggingEvent {
        final CountDownLatch passed = new CountDownLatch(1);

        Mark(Logger logger) {
            super(LogQueue.class.getName(), logger, Level.ERROR, "", null, null);
        }
    }

    private final AtomicLong dropped = new AtomicLong();

    private LogQueue() {}

    /** The same as the other, which is started, with a queue before it. */
    static LogQueue before(Appender<ILoggingEvent> other) {
        LogQueue queue = new LogQueue();
        queue.setContext(other.getContext());
        queue.setName(other.getName());
        queue.setQueueSize(CAPACITY);
        queue.setDiscardingThreshold(CAPACITY / 2);
        queue.setNeverBlock(true);
        Writing writing = queue.new Writing(other);
        writing.setContext(other.getContext());
        writing.start();
        queue.addAppender(writing);
        queue.start();
        return queue;
    }

    /**
     * What other threads log when the log has been closed is lost, whatever it is. The superclass would complain of it on
     * standard error, where nothing belongs that nobody can mend.
     */
    @Override
    public void doAppend(ILoggingEvent event) {
        if (isStarted()) super.doAppend(event);
    }

    @Override
    protected void append(ILoggingEvent event) {
        nameSaga(event);
        if (getRemainingCapacity() == 0 || (isQueueBelowDiscardingThreshold() && isDiscardable(event))) {
            dropped.incrementAndGet();
        } else {
            super.append(event);
        }
    }

    /** So that a line of JSON has them as fields, whoever logs. Lines of text have them in their sentence. */
    private static void nameSaga(ILoggingEvent event) {
        Object[] arguments = event.getArgumentArray();
        if (arguments == null || !(event instanceof LoggingEvent line)) return;
        for (Object argument : arguments) {
            if (argument instanceof SagaId saga) name(line, "sagaId", saga);
            if (argument instanceof BranchId branch) name(line, "branchId", branch);
        }
    }

    /** The first of each; another appender's queue may have done so already. */
    private static void name(LoggingEvent line, String name, Object value) {
        List<KeyValuePair> pairs = line.getKeyValuePairs();
        if (pairs != null && pairs.stream().anyMatch(pair -> pair.key.equals(name))) return;
        line.addKeyValuePair(new KeyValuePair(name, value));
    }

    /** Is passed when everything is written that was logged before. */
    CountDownLatch mark() {
        Mark mark = new Mark(root());
        doAppend(mark);
        return mark.passed;
    }

    private Logger root() {
        return ((LoggerContext) getContext()).getLogger(Logger.ROOT_LOGGER_NAME);
    }

    /** What the queue's thread does with each event. */
    private final class Writing extends UnsynchronizedAppenderBase<ILoggingEvent> {
        private final Appender<ILoggingEvent> to;

        /** JSON escapes by itself, and has a field for the stack trace. */
        private final boolean escapes;

        Writing(Appender<ILoggingEvent> to) {
            this.to = to;
            escapes = !(to instanceof OutputStreamAppender<ILoggingEvent> stream
                    && stream.getEncoder() instanceof StructuredLogEncoder);
        }

        @Override
        protected void append(ILoggingEvent event) {
            if (event instanceof Mark mark) {
                mark.passed.countDown();
                return;
            }
            long lost = dropped.getAndSet(0);
            if (lost > 0) {
                to.doAppend(new LoggingEvent(
                        LogQueue.class.getName(),
                        ((LoggerContext) getContext()).getLogger(LogQueue.class),
                        Level.WARN,
                        lost + " lines of the log are missing here: its reader was too slow, and alpha does not"
                                + " wait for it.",
                        null,
                        null));
            }
            to.doAppend(escapes ? new EscapedEvent(event) : event);
        }

        @Override
        public void stop() {
            super.stop();
            to.stop();
        }
    }
}
