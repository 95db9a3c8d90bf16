package io.alphaomega.benchmark.preset;

/**
 * A row of DTM's table: what the branches of one global transaction do, and whether there is a coordinator.
 *
 * @param sql statements of the business per branch, without those that begin and commit its local transaction
 * @param fence whether each branch also puts its fence row
 * @param coordinated whether it is a saga; else the same calls without anybody who would undo them
 */
record BusinessWork(int sql, boolean fence, boolean coordinated) {
    static final BusinessWork EMPTY = new BusinessWork(0, false, true);

    String label() {
        if (!coordinated) return sql + " SQL, no coordinator";
        if (sql == 0) return "empty";
        return sql + " SQL" + (fence ? " + fence" : "");
    }

    /** The same business without a coordinator, to compare with. */
    BusinessWork bare() {
        return new BusinessWork(sql, false, false);
    }
}
