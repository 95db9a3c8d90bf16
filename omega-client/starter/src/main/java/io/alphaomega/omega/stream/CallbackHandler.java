package io.alphaomega.omega.stream;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.protocol.v1.CallbackResult;

/** What runs a compensation or confirmation when alpha asks for it. */
public interface CallbackHandler {

    /**
     * Runs the callback on a thread of the client's and says how it went. Only the failure of the result counts, the
     * client fills in the rest. What is thrown is answered as {@code THREW}.
     */
    CallbackResult handle(Callback callback);
}
