package io.alphaomega.omega.test.everyday;

import io.alphaomega.omega.Compensable;

/** Of docs/everyday.md. */
class Cashier {
    @Compensable(compensationMethod = "refund")
    public void charge(String order) {}

    public void refund(String order) {}
}
