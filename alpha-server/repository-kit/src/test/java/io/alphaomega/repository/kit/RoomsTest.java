package io.alphaomega.repository.kit;

final class RoomsTest extends RoomsContract {
    RoomsTest() {
        super("io.alphaomega.repository");
    }
}
