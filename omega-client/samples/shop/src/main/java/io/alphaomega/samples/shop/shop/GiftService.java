package io.alphaomega.samples.shop.shop;

import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

/** Makes gifts of orders: a box from the stock, and a card that shipping prints; both or none. */
@Service
public class GiftService {
    private static final String BOX = "gift-box";

    private final Services services;

    GiftService(Services services) {
        this.services = services;
    }

    /**
     * A part of the order's saga that may fail alone: an error undoes what was done for the gift and leaves the rest as it
     * is. What is done holds only if the order is committed; until then the box is only reserved.
     */
    @SagaStart(propagation = SagaPropagation.NESTED, businessKey = "#order", timeout = "20s")
    public Mono<Void> wrap(String order, String greeting) {
        return services.reserve(order, BOX, 1).then(services.printCard(order, greeting));
    }
}
