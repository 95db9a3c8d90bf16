package io.alphaomega.repository;

/** Whether a repository works now. */
public sealed interface Health {
    record Up() implements Health {}

    /** {@code reason} is a sentence for people. */
    record Down(String reason) implements Health {}
}
