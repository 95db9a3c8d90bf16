package io.alphaomega.omega.test.everyday;

import io.alphaomega.omega.Compensable;

/** Of docs/everyday.md. */
class StockDesk {
    @Compensable(compensationMethod = "release")
    public void reserve(String order) {}

    public void release(String order) {}
}
