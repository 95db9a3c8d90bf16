package io.alphaomega.server.wire;

import akka.actor.ExtendedActorSystem;
import akka.actor.typed.ActorRefResolver;
import akka.actor.typed.javadsl.Adapter;
import akka.serialization.SerializerWithStringManifest;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.NotSerializableException;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/**
 * Messages between alpha nodes, as protobuf under chosen names: {@code remoting.proto}. A subclass is a table of these;
 * neighbouring versions run together, so neither its identifier nor a manifest in it is ever changed.
 */
public abstract class MessageSerializer extends SerializerWithStringManifest {
    private record Format<M, P extends MessageLite>(
            String manifest, Class<M> type, Function<M, P> write, Parser<P> parser, Function<P, M> read) {
        byte[] bytes(Object message) {
            return write.apply(type.cast(message)).toByteArray();
        }

        M message(byte[] bytes) throws InvalidProtocolBufferException {
            return read.apply(parser.parseFrom(bytes));
        }
    }

    private final int identifier;
    private final Map<Class<?>, Format<?, ?>> byType = new HashMap<>();
    private final Map<String, Format<?, ?>> byManifest = new HashMap<>();

    /**
     * An empty table.
     *
     * @param identifier Akka keeps 0 to 40
     */
    protected MessageSerializer(int identifier) {
        this.identifier = identifier;
    }

    /** Adds a line to the table, while it is constructed. */
    protected final <M, P extends MessageLite> void format(
            String manifest, Class<M> type, Function<M, P> write, Parser<P> parser, Function<P, M> read) {
        Format<M, P> format = new Format<>(manifest, type, write, parser, read);
        byType.put(type, format);
        byManifest.put(manifest, format);
    }

    /** Names actors for other nodes. Not before it is needed: the system is still being made when its serializers are. */
    protected static ActorRefResolver refs(ExtendedActorSystem system) {
        return ActorRefResolver.get(Adapter.toTyped(system));
    }

    @Override
    public final int identifier() {
        return identifier;
    }

    @Override
    public final String manifest(Object message) {
        return format(message).manifest();
    }

    @Override
    public final byte[] toBinary(Object message) {
        return format(message).bytes(message);
    }

    private Format<?, ?> format(Object message) {
        Format<?, ?> format = byType.get(message.getClass());
        if (format == null) throw new IllegalArgumentException(message.getClass() + " is not sent between alpha nodes");
        return format;
    }

    @Override
    public final Object fromBinary(byte[] bytes, String manifest) throws NotSerializableException {
        Format<?, ?> format = byManifest.get(manifest);
        if (format == null) throw new NotSerializableException(manifest + " is unknown: a newer alpha has sent it");
        try {
            return format.message(bytes);
        } catch (InvalidProtocolBufferException e) {
            throw new NotSerializableException(manifest + " is damaged: " + e.getMessage());
        }
    }
}
