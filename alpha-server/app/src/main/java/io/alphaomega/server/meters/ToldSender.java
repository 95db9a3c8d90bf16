package io.alphaomega.server.meters;

import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends metrics, and says once that they do not arrive, and once that they do again. */
final class ToldSender implements OtlpMetricsSender {
    private static final Logger LOG = LoggerFactory.getLogger(ToldSender.class);

    private final OtlpMetricsSender sender;
    private final AtomicBoolean away = new AtomicBoolean();

    ToldSender(OtlpMetricsSender sender) {
        this.sender = sender;
    }

    @Override
    public void send(Request request) {
        try {
            sender.send(request);
        } catch (Exception e) {
            if (away.compareAndSet(false, true)) {
                LOG.warn(
                        "Metrics do not reach {}: {}. Alpha continues, and sends them anew each time.",
                        request.getAddress(),
                        e.toString());
            }
            return;
        }
        if (away.compareAndSet(true, false)) LOG.info("Metrics reach {} again.", request.getAddress());
    }
}
