package io.alphaomega.repository;

/** What became of one {@link Append}. */
public sealed interface AppendResult {
    /** Stored; the saga is now at {@code version}. */
    record Appended(Version version) implements AppendResult {}

    /** Not stored: the saga is not at the expected version, somebody else has appended. {@code actual} is where it is. */
    record Conflict(Version actual) implements AppendResult {}
}
