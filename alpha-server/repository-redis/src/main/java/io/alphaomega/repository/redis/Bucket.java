package io.alphaomega.repository.redis;

import io.alphaomega.saga.SagaId;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One of the parts into which sagas are divided by their ids. Its number is the hash tag of all its keys, so that in a
 * cluster everything of one saga is on one server.
 */
record Bucket(int number) {
    /** Many more than a cluster has servers, so that each has about as much; few enough to ask them all in one call. */
    private static final int COUNT = 64;

    static final List<Bucket> ALL =
            IntStream.range(0, COUNT).mapToObj(Bucket::new).toList();

    static Bucket of(SagaId id) {
        return of(id.value());
    }

    static Bucket of(String id) {
        int hash = id.hashCode();
        return ALL.get(Math.floorMod(hash ^ (hash >>> 16), COUNT));
    }

    /** What layout.lua takes a key apart by: of a fixed length. */
    private String tag() {
        return "alpha:{b" + (number < 10 ? "0" : "") + number + "}";
    }

    byte[] saga(SagaId id) {
        return saga(id.value());
    }

    Bytes saga(SagaId id, Bytes to) {
        return to.utf8("alpha:{b")
                .one('0' + number / 10)
                .one('0' + number % 10)
                .utf8("}:")
                .utf8(id.value());
    }

    byte[] saga(String id) {
        return (tag() + ":" + id).getBytes(StandardCharsets.US_ASCII);
    }

    /** No id has a slash: it is never taken for a saga. */
    byte[] index() {
        return (tag() + "/index").getBytes(StandardCharsets.US_ASCII);
    }

    /** What nodes note about the store. */
    byte[] notes() {
        return (tag() + "/notes").getBytes(StandardCharsets.US_ASCII);
    }

    /** A key for trying whether the server takes anything. */
    byte[] probe() {
        return (tag() + "/probe").getBytes(StandardCharsets.US_ASCII);
    }
}
