package io.alphaomega.server.epoch;

import io.alphaomega.protocol.v1.StoreMark;
import java.time.Instant;

/**
 * How far the store had come at a time: what a node notes in it every few seconds, and then tells the services. Who has
 * been told a mark that the store does not have knows that it was set back.
 *
 * @param store which one
 * @param run the node, since its last start
 * @param number counts the run's marks
 * @param at when it was written
 */
record Mark(String store, String run, long number, Instant at) {
    static Mark of(StoreMark told) {
        return new Mark(told.getStore(), told.getRun(), told.getNumber(), Instant.ofEpochMilli(told.getAtMillis()));
    }

    StoreMark toWire() {
        return StoreMark.newBuilder()
                .setStore(store)
                .setRun(run)
                .setNumber(number)
                .setAtMillis(at.toEpochMilli())
                .build();
    }
}
