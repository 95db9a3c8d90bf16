package io.alphaomega.omega.fence;

import java.util.UUID;

/**
 * A row of the fence's table: one operation of one branch.
 *
 * @param reason which operation put it there: the forward row may come from a compensation or a failure, the one of the
 *     begin from a compensation
 */
record FenceRow(String saga, String branch, String op, String reason) {
    static final String FORWARD = "forward";
    static final String COMPENSATION = "compensation";
    static final String CONFIRMATION = "confirmation";

    /** What follows a compensation or a confirmation. */
    static final String SEQUEL = "sequel";

    /** That the business was about to begin, where a rollback does not take back all that it does. */
    static final String BEGIN = "begin";

    /** Marks a row that belongs to no branch: its reason is the id of the fence. */
    static final String ID = "id";

    /** Marks the other row that belongs to no branch: its result is what the service remembers of alpha's store. */
    static final String SEEN = "seen";

    static final FenceRow MEMORY = new FenceRow("omega", "fence", SEEN, SEEN);

    /** When a row was created that no purge may delete. */
    static final long NEVER_PURGED = Long.MAX_VALUE;

    /** Only a reason, of a forward row that bars the way. */
    static final String FAILURE = "failure";

    /** As many characters as an id has at most; what is longer is no id of alpha's. */
    private static final int ID_CHARS = 64;

    /** As many characters as a reason may have; 60 random bits tell the databases of a service apart. */
    private static final int FENCE_ID_CHARS = 16;

    static String newFenceId() {
        return UUID.randomUUID().toString().replace("-", "").substring(0, FENCE_ID_CHARS);
    }

    /** The row of the fence's id. */
    static FenceRow id(String id) {
        return new FenceRow("omega", "fence", ID, id);
    }

    /** The row of a forward call that ran. */
    static FenceRow forward(String saga, String branch) {
        return new FenceRow(saga, branch, FORWARD, FORWARD);
    }

    /** Whether a database that cuts and replaces what it cannot store would store these ids as they are. */
    boolean fits() {
        return fits(saga) && fits(branch);
    }

    private static boolean fits(String id) {
        return id.length() <= ID_CHARS && id.chars().allMatch(letter -> letter < 128);
    }

    String misfit() {
        return "The fence stores ids of up to " + ID_CHARS + " characters of ASCII, and not " + this + ".";
    }

    @Override
    public String toString() {
        return "the " + op + " of branch " + branch + " of saga " + saga;
    }
}
