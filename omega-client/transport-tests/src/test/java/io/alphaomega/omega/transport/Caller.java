package io.alphaomega.omega.transport;

/** Takes from a stock by some transport. */
interface Caller {
    void take(CalledBy by, String item);
}
