package io.alphaomega.omega.test;

import io.alphaomega.omega.Compensable;
import org.springframework.transaction.annotation.Transactional;

/** Has rooms. */
class HotelDesk {
    private final Ledger ledger;

    HotelDesk(Ledger ledger) {
        this.ledger = ledger;
    }

    @Transactional
    @Compensable(compensationMethod = "cancel", reverseRetries = 3, forwardTimeout = "10m")
    public void book(String guest) {
        ledger.add("room for " + guest);
    }

    @Transactional
    public void cancel(String guest) {
        ledger.add("no room for " + guest);
    }
}
