package io.alphaomega.repository.elasticsearch;

import io.alphaomega.repository.kit.RoomsContract;

final class RoomsTest extends RoomsContract {
    RoomsTest() {
        super("io.alphaomega.repository.elasticsearch");
    }
}
