package io.alphaomega.omega.transport;

import io.alphaomega.omega.Omega;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.dubbo.common.stream.StreamObserver;
import org.apache.dubbo.rpc.RpcContext;

/** Serves what is called by Dubbo. What is broken is taken, and then it fails. */
class DubboWarehouse implements Warehouse {
    private final Stock stock;
    private final Omega omega;
    private final List<String> calls = new CopyOnWriteArrayList<>();

    DubboWarehouse(Stock stock, Omega omega) {
        this.stock = stock;
        this.omega = omega;
    }

    long calls(String item) {
        return calls.stream().filter(item::equals).count();
    }

    @Override
    public String take(String item) {
        String saga = taken(item);
        if (item.startsWith("broken")) throw new IllegalStateException(item);
        return saga;
    }

    @Override
    public CompletableFuture<String> takeLater(String item) {
        String saga = taken(item);
        return CompletableFuture.supplyAsync(() -> {
            if (item.startsWith("broken")) throw new IllegalStateException(item);
            return saga;
        });
    }

    @Override
    public void takeInStream(String item, StreamObserver<String> saga) {
        saga.onNext(taken(item));
        saga.onCompleted();
    }

    @Override
    public String attachments() {
        return RpcContext.getServerAttachment().getObjectAttachments().keySet()
                + omega.sagaId().orElse("none");
    }

    private String taken(String item) {
        stock.take(item);
        calls.add(item);
        return omega.sagaId().orElse("none");
    }
}
