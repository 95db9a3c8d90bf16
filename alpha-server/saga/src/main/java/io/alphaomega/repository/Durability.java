package io.alphaomega.repository;

/**
 * What a returned append survives.
 *
 * @param settings the store's own settings that make it so, for people, such as {@code synchronous=FULL}
 */
public record Durability(Level level, String settings) {

    /** From weakest to strongest. */
    public enum Level {
        /** Nothing for certain: the store's process may have had it in memory only, all of it or the last moments. */
        VOLATILE,
        /** The store's process is killed. */
        PROCESS_CRASH,
        /** The power of the machine fails. */
        POWER_LOSS,
        /** The machine is lost: another one has it as well. */
        FAILOVER
    }
}
