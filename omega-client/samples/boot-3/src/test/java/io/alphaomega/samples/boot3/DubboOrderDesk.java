package io.alphaomega.samples.boot3;

import org.apache.dubbo.config.annotation.DubboService;

@DubboService
class DubboOrderDesk implements OrderDesk {
    private final Purchases purchases;

    DubboOrderDesk(Purchases purchases) {
        this.purchases = purchases;
    }

    @Override
    public void order(String item) {
        purchases.order(item);
    }
}
