package io.alphaomega.server.sweep;

/** Is told of each look for stuck sagas, on the node that looks. */
public interface StuckListener {
    /** Called by one look at a time, which waits for it. */
    void found(StuckSagas found);

    /** Another node looks from now on. */
    default void stopped() {}
}
