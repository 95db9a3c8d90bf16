package io.alphaomega.repository;

/**
 * What a returned append survives.
 *
 * @param settings the store's own settings that make it so, for people, such as {@code synchronous=FULL}
 */
public record Durability(Level level, String settings) {

    /** From weakest to strongest. */
    public enum Level {
        /** Nothing: what the store's process has in memory only. */
        VOLATILE,
        /** The store's process is killed. */
        PROCESS_CRASH,
        /** The power of the machine fails. */
        POWER_LOSS,
        /** The machine is lost: another one has it as well. */
        FAILOVER
    }
}
