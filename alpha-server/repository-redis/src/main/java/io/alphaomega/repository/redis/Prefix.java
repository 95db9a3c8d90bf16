package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaSummary.State;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/** What the members of an index begin with that belong together: after it comes a time, then the id of a saga. */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares prefixes.
record Prefix(byte[] bytes) {
    static final Prefix DUE = new Prefix(new byte[] {'d'});
    static final Prefix ENDED = new Prefix(new byte[] {'e'});
    static final Prefix GONE = new Prefix(new byte[] {'g'});

    static Prefix state(char code) {
        return new Prefix(new byte[] {'s', (byte) code});
    }

    static List<Prefix> states(Collection<State> states) {
        return States.codes(states).stream().map(Prefix::state).toList();
    }

    /** Of the sagas that have ended in which the service took part. */
    static Prefix service(String name) {
        return new Prefix(new Bytes(64).one('v').text(name).done());
    }

    byte[] member(Place place) {
        return Times.add(new Bytes(bytes.length + Times.BYTES + 40).raw(bytes), place.millis())
                .raw(place.id().getBytes(StandardCharsets.US_ASCII))
                .done();
    }

    Place place(byte[] member) {
        return new Place(
                Times.millis(member, bytes.length),
                new String(member, idAt(), member.length - idAt(), StandardCharsets.US_ASCII));
    }

    int idAt() {
        return bytes.length + Times.BYTES;
    }

    // ---- ends of ranges, as ZRANGEBYLEX wants them

    /** From the members of that time on, or up to those before it. */
    byte[] end(char kind, long millis) {
        return bound(
                kind,
                Times.add(new Bytes(bytes.length + Times.BYTES).raw(bytes), millis)
                        .done());
    }

    byte[] first() {
        return bound('[', bytes);
    }

    /** After all: a time never begins with this byte. */
    byte[] last() {
        byte[] after = Arrays.copyOf(bytes, bytes.length + 1);
        after[bytes.length] = (byte) 0xFF;
        return bound('(', after);
    }

    byte[] beyond(byte[] member) {
        return bound('(', member);
    }

    private static byte[] bound(char kind, byte[] value) {
        return new Bytes(value.length + 1).one(kind).raw(value).done();
    }
}
