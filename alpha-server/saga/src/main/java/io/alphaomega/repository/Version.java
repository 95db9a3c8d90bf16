package io.alphaomega.repository;

/**
 * Where a saga's journal stands.
 *
 * @param sequence how many events it has
 * @param token opaque, of the plugin: tells apart two journals of one length, so that a store that lost writes and
 *     regrew does not match
 */
public record Version(long sequence, String token) {
    /** Of a saga that has no event. */
    public static final Version NONE = new Version(0, "");

    public Version {
        if (sequence < 0) throw new IllegalArgumentException("sequence is " + sequence);
    }
}
