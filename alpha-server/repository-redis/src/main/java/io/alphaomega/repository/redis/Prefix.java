package io.alphaomega.repository.redis;

import io.alphaomega.repository.Attribute;
import io.alphaomega.repository.SagaSummary.State;
import io.alphaomega.repository.ScanPosition;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * What the members of an index begin with that belong together: after it comes a time, then the id of a saga.
 *
 * @param after how many bytes come after the id
 */
@SuppressWarnings("ArrayRecordComponent") // Nobody compares prefixes.
record Prefix(byte[] bytes, int after) {
    static final Prefix DUE = new Prefix(new byte[] {'d'}, 0);
    private static final Prefix ENDED = new Prefix(new byte[] {'e'}, 0);
    static final Prefix ORDERED = new Prefix(new byte[] {'o'}, 0);
    static final Prefix GONE = new Prefix(new byte[] {'g'}, 0);

    private static final int MARK_BYTES = 1 + ServiceMark.BYTES;

    /** Where the sagas are that have ended. */
    static List<Prefix> ended() {
        List<Prefix> prefixes = new ArrayList<>(List.of(ENDED));
        for (State state : State.values()) {
            if (state.isEnded()) prefixes.add(state('f', States.code(state), MARK_BYTES));
        }
        return prefixes;
    }

    private static Prefix state(char kind, char code, int after) {
        return new Prefix(new byte[] {(byte) kind, (byte) code}, after);
    }

    /** Where the sagas with this business key are, and the few whose key has the same mark. */
    static Prefix key(String businessKey) {
        return new Prefix(new Bytes(5).one('k').four(KeyMark.of(businessKey)).done(), 0);
    }

    /** Where the sagas with this attribute are, and the few that have one with the same mark. */
    static Prefix attribute(Attribute attribute) {
        return new Prefix(new Bytes(5).one('a').four(KeyMark.of(attribute)).done(), 0);
    }

    /** Where the sagas are that are shown in one of these states. Only active ones may be young. */
    static List<Prefix> states(Collection<State> states) {
        List<Prefix> prefixes = new ArrayList<>();
        for (char code : States.codes(states)) {
            boolean ended = States.of(code).map(State::isEnded).orElse(false);
            prefixes.add(state('s', code, ended ? MARK_BYTES : 0));
            if (ended) prefixes.add(state('f', code, MARK_BYTES));
        }
        if (states.contains(State.ACTIVE)) prefixes.add(state('y', States.code(State.ACTIVE), 0));
        return prefixes;
    }

    /** Without what comes after the id: before the member itself, and after all before that. */
    byte[] member(ScanPosition place) {
        return Times.add(new Bytes(bytes.length + Times.BYTES + 40).raw(bytes), place.millis())
                .raw(place.id().getBytes(StandardCharsets.US_ASCII))
                .done();
    }

    ScanPosition place(byte[] member) {
        return new ScanPosition(
                Times.millis(member, bytes.length),
                new String(member, idAt(), member.length - idAt() - after, StandardCharsets.US_ASCII));
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
