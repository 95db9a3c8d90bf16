package io.alphaomega.omega.spring.fencing;

import java.time.Instant;
import java.util.Optional;

/** The fence's table, as its keeper needs it: on threads that may wait. */
interface FenceTable {
    /** Creates it where it is missing. */
    void create() throws Exception;

    /** Says what is missing, and what to do, if it is not there. */
    Optional<String> missing() throws Exception;

    /** Gives it an id, unless it has one. */
    void identify() throws Exception;

    /** What was last remembered in it, if anything. */
    Optional<byte[]> remembered() throws Exception;

    /** Keeps it, in place of what was remembered before. */
    void remember(byte[] memory) throws Exception;

    /** Deletes up to {@code limit} rows that are older, and says how many. */
    int purge(Instant before, int limit) throws Exception;
}
