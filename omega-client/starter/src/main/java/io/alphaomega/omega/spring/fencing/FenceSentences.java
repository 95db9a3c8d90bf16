package io.alphaomega.omega.spring.fencing;

import io.alphaomega.omega.SagaException;

/** What is said of a fence that cannot do its work, in front of what the database says. */
final class FenceSentences {
    private FenceSentences() {}

    /** Some databases refuse to write there, some drop it, and JPA would not flush what the business has changed. */
    static SagaException readOnly(String who) {
        return new SagaException(who
                + " runs in a read-only transaction, in which neither its fence's row nor what it does is sure to be"
                + " kept; it did not run. Leave readOnly out of the @Transactional of the method or of its caller, or"
                + " call it outside of transactions.");
    }

    static String notAsked(String who) {
        return "could not read or write its row, and this did not run: " + who;
    }

    static String resultNotKept(String operation) {
        return "could not keep the result, and the transaction is rolled back: " + operation;
    }

    static String resultNotRead(String branch) {
        return "could not read the result, and the callback did not run: branch " + branch;
    }
}
