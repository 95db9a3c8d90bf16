package io.alphaomega.omega.transport.dubbo;

import io.alphaomega.omega.context.SagaCarrier;
import java.util.Locale;
import org.apache.dubbo.rpc.Invocation;
import org.apache.dubbo.rpc.RpcContext;
import org.jspecify.annotations.Nullable;

/**
 * The attachments of a call of Dubbo. Their names are written in small letters: in others Dubbo's protocol tri sends them
 * only with a library for JSON. Those of ServiceComb Pack have capitals.
 */
record DubboCarrier(Invocation invocation) implements SagaCarrier.Headers {
    @Override
    public @Nullable String get(String name) {
        String value = invocation.getAttachment(small(name));
        return value == null ? invocation.getAttachment(name) : value;
    }

    @Override
    public void set(String name, String value) {
        remove(name);
        invocation.setAttachment(small(name), value);
    }

    /** Also where Dubbo would take it from again, beneath its cluster. */
    @Override
    public void remove(String name) {
        for (String spelt : new String[] {name, small(name)}) {
            invocation.getObjectAttachments().remove(spelt);
            RpcContext.getClientAttachment().removeAttachment(spelt);
        }
    }

    static String small(String name) {
        return name.toLowerCase(Locale.ROOT);
    }
}
