package io.alphaomega.server.stream;

import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.InvalidProtocolBufferException;
import io.alphaomega.protocol.v1.Callback;
import java.io.NotSerializableException;

/** Callbacks between alpha nodes, as protobuf under a chosen name: what the participant gets in the end. */
public final class CallbackSerializer extends SerializerWithStringManifest {
    /** Akka keeps 0 to 40; fixed, because neighbouring versions run together. */
    private static final int IDENTIFIER = 812;

    private static final String CALLBACK = "callback.v1";

    @Override
    public int identifier() {
        return IDENTIFIER;
    }

    @Override
    public String manifest(Object message) {
        return CALLBACK;
    }

    @Override
    public byte[] toBinary(Object message) {
        if (message instanceof RunCallback run) return run.callback().toByteArray();
        throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
    }

    @Override
    public Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        if (!manifest.equals(CALLBACK)) {
            throw new NotSerializableException(manifest + " is unknown: a newer alpha has sent it");
        }
        try {
            return new RunCallback(Callback.parseFrom(bytes));
        } catch (InvalidProtocolBufferException e) {
            throw new NotSerializableException(manifest + " is damaged: " + e.getMessage());
        }
    }
}
