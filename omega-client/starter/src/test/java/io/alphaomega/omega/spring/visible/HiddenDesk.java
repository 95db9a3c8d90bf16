package io.alphaomega.omega.spring.visible;

import io.alphaomega.omega.Compensable;

/** What the public class inherits: the compiler adds a bridge for each public method of it. */
class HiddenDesk {
    @Compensable(compensationMethod = "undo")
    public void book(String guest) {}

    public void undo(String guest) {}
}
