package io.alphaomega.repository.redis;

import io.alphaomega.repository.SagaSummary;
import io.alphaomega.repository.Version;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What a version has beside its sequence.
 *
 * @param random so that no two appends make the same version
 * @param header tells whether a header must be stored with the next append, without reading the one that is
 * @param distance how many elements before the record of this version its header is
 */
record VersionToken(long random, int header, int distance) {
    private static final HexFormat HEX = HexFormat.of();
    private static final int DIGITS = 28;

    /** It is in two bytes. Then the header is repeated. */
    private static final int DISTANCE_MAX = 0xFFFF;

    /** Empty if it is none of ours. */
    static Optional<VersionToken> of(Version version) {
        String text = version.token();
        if (text.length() != DIGITS) return Optional.empty();
        try {
            return Optional.of(new VersionToken(
                    HexFormat.fromHexDigitsToLong(text, 0, 16),
                    HexFormat.fromHexDigits(text, 16, 24),
                    HexFormat.fromHexDigits(text, 24, DIGITS)));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    /** Of the append that follows. A distance of 1 means that it brings a header. */
    VersionToken next(long newRandom, int newHeader) {
        boolean same = newHeader == header && distance > 0 && distance < DISTANCE_MAX;
        return new VersionToken(newRandom, newHeader, same ? distance + 1 : 1);
    }

    static VersionToken first(long random, int header) {
        return new VersionToken(random, header, 1);
    }

    /** Whether the header is written with the record. */
    boolean bringsHeader() {
        return distance == 1;
    }

    /**
     * What a header is told by. If two headers of one saga had the same, which happens once in four thousand million
     * times, a list would show the older one; nobody decides by it.
     */
    static int hash(SagaSummary saga) {
        int services = 0;
        for (String service : saga.services()) services += mixed(service.hashCode());
        int hash = saga.service().hashCode();
        hash = 31 * hash + saga.operation().hashCode();
        hash = 31 * hash + saga.businessKey().hashCode();
        hash = 31 * hash + saga.reason().hashCode();
        return mixed(hash) + services + mixed(saga.attributes().hashCode());
    }

    private static int mixed(int hash) {
        int spread = (hash ^ hash >>> 16) * 0x85EBCA6B;
        spread = (spread ^ spread >>> 13) * 0xC2B2AE35;
        return spread ^ spread >>> 16;
    }

    Bytes write(Bytes to) {
        return to.eight(random).four(header).two(distance);
    }

    static VersionToken read(ByteBuffer from) {
        return new VersionToken(from.getLong(), from.getInt(), Short.toUnsignedInt(from.getShort()));
    }

    String text() {
        return HEX.toHexDigits(random) + HEX.toHexDigits(header) + HEX.toHexDigits((short) distance);
    }
}
