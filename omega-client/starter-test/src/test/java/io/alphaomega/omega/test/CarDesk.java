package io.alphaomega.omega.test;

import io.alphaomega.omega.Compensable;
import org.springframework.transaction.annotation.Transactional;

/** Has cars. */
class CarDesk {
    private final Ledger ledger;

    CarDesk(Ledger ledger) {
        this.ledger = ledger;
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    public void book(String guest) {
        ledger.add("car for " + guest);
    }

    @Transactional
    public void cancel(String guest) {
        ledger.add("no car for " + guest);
    }
}
