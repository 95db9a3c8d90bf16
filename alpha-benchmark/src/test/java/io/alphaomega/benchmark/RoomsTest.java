package io.alphaomega.benchmark;

import io.alphaomega.repository.kit.RoomsContract;

final class RoomsTest extends RoomsContract {
    RoomsTest() {
        super("io.alphaomega.benchmark");
    }
}
