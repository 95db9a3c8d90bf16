package io.alphaomega.repository;

/** What became of one {@link Append}. */
public sealed interface AppendResult {
    /** Stored; the saga is now at {@code version}. */
    record Appended(Version version) implements AppendResult {}

    /** Not stored: the saga is not at the expected version, somebody else has appended. {@code actual} is where it is. */
    record Conflict(Version actual) implements AppendResult {}

    /**
     * Not stored, because somebody else is writing to the saga and does not get done: a server that was paused in the
     * middle keeps what it has locked. Whether what he writes will be stored is open. The item may be sent again as it is.
     */
    record Locked() implements AppendResult {}
}
