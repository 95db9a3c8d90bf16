package io.alphaomega.repository.jdbc;

import io.alphaomega.repository.kit.RoomsContract;

final class RoomsTest extends RoomsContract {
    RoomsTest() {
        super("io.alphaomega.repository.jdbc");
    }
}
