package io.alphaomega.omega.transport;

import java.util.concurrent.CompletableFuture;
import org.apache.dubbo.common.stream.StreamObserver;

/** What is called by Dubbo, which makes classes that use it. */
public interface Warehouse {
    /** Returns the saga that it is taken in, or {@code none}. */
    String take(String item);

    /** As {@link #take}, and returns before it has an answer. */
    CompletableFuture<String> takeLater(String item);

    /** As {@link #take}, which answers by a stream. */
    void takeInStream(String item, StreamObserver<String> saga);

    /** The names of what came along, as the service sees them. */
    String attachments();
}
