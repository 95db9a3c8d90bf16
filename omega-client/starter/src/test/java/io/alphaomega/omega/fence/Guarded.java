package io.alphaomega.omega.fence;

/** A service's data behind a fence in a test, with bookings as its business, of branches of the saga {@code saga}. */
interface Guarded {
    /** Books, if the fence lets it. */
    default Forward.Verdict forward(String branch) throws Exception {
        return forward("saga", branch);
    }

    Forward.Verdict forward(String saga, String branch) throws Exception;

    boolean bar(String branch) throws Exception;

    /** Undoes one booking if the fence says so; one that is not there fails the test. */
    Compensation compensate(String branch, boolean forwardEnded) throws Exception;

    Confirmation confirm(String branch, boolean fenced) throws Exception;

    int bookings(String branch) throws Exception;

    int fenceRows(String branch) throws Exception;
}
