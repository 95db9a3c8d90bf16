package io.alphaomega.repository.redis;

import io.alphaomega.repository.kit.RoomsContract;

final class RoomsTest extends RoomsContract {
    RoomsTest() {
        super("io.alphaomega.repository.redis");
    }
}
