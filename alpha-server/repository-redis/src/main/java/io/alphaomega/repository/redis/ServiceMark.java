package io.alphaomega.repository.redis;

import java.util.Collection;

/**
 * Some bits for each service of a saga, in the index beside the saga: a search by service passes over those that surely
 * have not got it without looking at them. With four services, one in sixty others is looked at in vain.
 */
final class ServiceMark {
    static final int BYTES = 8;

    private ServiceMark() {}

    static long of(Collection<String> services) {
        long mark = 0;
        for (String service : services) mark |= 1L << first(service) | 1L << second(service);
        return mark;
    }

    /** The bits of one service: position and value of a byte, from 1 on, twice. */
    static byte[] bytes(String service) {
        int first = first(service);
        int second = second(service);
        return new byte[] {position(first), value(first), position(second), value(second)};
    }

    private static byte position(int bit) {
        return (byte) (BYTES - bit / Byte.SIZE);
    }

    private static byte value(int bit) {
        return (byte) (1 << bit % Byte.SIZE);
    }

    private static int first(String service) {
        return hash(service) >>> 26;
    }

    private static int second(String service) {
        return hash(service) >>> 20 & 63;
    }

    /** The last letters of a name are spread over all bits. */
    private static int hash(String service) {
        return service.hashCode() * 0x9E3779B9;
    }
}
