package io.alphaomega.omega.test.everyday;

import io.alphaomega.omega.SagaStart;

/** Of docs/everyday.md. */
class OrderService {
    private final StockDesk stock;
    private final Cashier cashier;

    OrderService(StockDesk stock, Cashier cashier) {
        this.stock = stock;
        this.cashier = cashier;
    }

    @SagaStart
    public void place(String order) {
        stock.reserve(order);
        cashier.charge(order);
    }
}
