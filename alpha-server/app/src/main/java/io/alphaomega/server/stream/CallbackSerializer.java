package io.alphaomega.server.stream;

import io.alphaomega.protocol.v1.Callback;
import io.alphaomega.server.wire.MessageSerializer;

/** Callbacks between alpha nodes: what the participant gets in the end. */
public final class CallbackSerializer extends MessageSerializer {
    public CallbackSerializer() {
        super(812);
        format("callback.v1", RunCallback.class, RunCallback::callback, Callback.parser(), RunCallback::new);
    }
}
