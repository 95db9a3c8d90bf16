package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Callback;
import org.slf4j.Logger;

/** What the log says of callbacks: whose they are, and a stack trace only where no further attempt follows. */
public final class CallbackLog {
    private CallbackLog() {}

    /** As in {@code branch b-1 of saga s-1 (order 17)}. */
    public static String branch(Callback callback) {
        String key = callback.getBusinessKey();
        return "branch " + callback.getBranch() + " of saga " + callback.getSaga()
                + (key.isEmpty() ? "" : " (" + oneLine(key) + ")");
    }

    /** As in {@code COMPENSATION HotelDesk.cancel of branch b-1 of saga s-1 (order 17)}. */
    public static String describe(Callback callback) {
        return callback.getKind() + " " + callback.getName() + " of " + branch(callback);
    }

    /** The callback has thrown, and alpha is told. */
    public static void threw(Logger log, Callback callback, Throwable thrown) {
        if (callback.getRetried()) {
            log.warn(
                    "{} failed at attempt {}; alpha asks again: {}",
                    describe(callback),
                    callback.getAttempt(),
                    oneLine(thrown.toString()));
            log.debug("The stack trace of attempt {}:", callback.getAttempt(), thrown);
        } else {
            log.warn("{} failed at attempt {}:", describe(callback), callback.getAttempt(), thrown);
        }
    }

    /** Nobody else's text may begin a line of the log. */
    private static String oneLine(String text) {
        return text.replaceAll("\\p{Cntrl}+", " ");
    }
}
