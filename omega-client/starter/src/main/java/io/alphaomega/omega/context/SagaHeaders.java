package io.alphaomega.omega.context;

/** The HTTP headers in which a saga travels; the first two are also ServiceComb Pack's. */
public final class SagaHeaders {
    public static final String SAGA = "X-Pack-Global-Transaction-Id";

    /** The caller's branch; the saga's id again if it calls from the top of the saga. */
    public static final String BRANCH = "X-Pack-Local-Transaction-Id";

    /** Names the call: a repetition below the caller's interceptor carries the same one. */
    public static final String CALL = "X-Omega-Call-Id";

    static final String TRACEPARENT = "traceparent";

    /** As alpha's limit on ids. */
    private static final int ID_CHARS = 64;

    /** As alpha's limit on names; a W3C trace parent has 55 characters. */
    private static final int TRACEPARENT_CHARS = 256;

    private SagaHeaders() {}

    static boolean isId(String value) {
        if (value.isEmpty() || value.length() > ID_CHARS) return false;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean allowed = (c >= 'a' && c <= 'z')
                    || (c >= 'A' && c <= 'Z')
                    || (c >= '0' && c <= '9')
                    || "-_.:".indexOf(c) >= 0;
            if (!allowed) return false;
        }
        return true;
    }

    static boolean isTraceparent(String value) {
        return value.length() <= TRACEPARENT_CHARS;
    }
}
