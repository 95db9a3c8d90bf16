package io.alphaomega.omega;

/** The order in which alpha calls back the branches of a saga. */
public enum CallbackOrder {
    /** One at a time: compensations last-finished-first, confirmations first-finished-first. */
    SEQUENTIAL,
    /** All at once. */
    PARALLEL
}
