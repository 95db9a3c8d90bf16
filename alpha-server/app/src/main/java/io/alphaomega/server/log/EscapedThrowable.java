package io.alphaomega.server.log;

import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.StackTraceElementProxy;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** An exception whose messages, and those of its causes, are {@link EscapedText}; the lines of its stack trace stay lines. */
record EscapedThrowable(IThrowableProxy thrown) implements IThrowableProxy {
    static @Nullable IThrowableProxy of(@Nullable IThrowableProxy thrown) {
        return thrown == null ? null : new EscapedThrowable(thrown);
    }

    @Override
    public @Nullable String getMessage() {
        return EscapedText.of(thrown.getMessage());
    }

    @Override
    public @Nullable String getOverridingMessage() {
        return EscapedText.of(thrown.getOverridingMessage());
    }

    @Override
    public String getClassName() {
        return thrown.getClassName();
    }

    @Override
    public StackTraceElementProxy[] getStackTraceElementProxyArray() {
        return thrown.getStackTraceElementProxyArray();
    }

    @Override
    public int getCommonFrames() {
        return thrown.getCommonFrames();
    }

    @Override
    public @Nullable IThrowableProxy getCause() {
        return of(thrown.getCause());
    }

    @Override
    public IThrowableProxy[] getSuppressed() {
        IThrowableProxy[] suppressed = thrown.getSuppressed();
        return suppressed == null
                ? new IThrowableProxy[0]
                : Stream.of(suppressed).map(EscapedThrowable::new).toArray(IThrowableProxy[]::new);
    }

    @Override
    public boolean isCyclic() {
        return thrown.isCyclic();
    }
}
