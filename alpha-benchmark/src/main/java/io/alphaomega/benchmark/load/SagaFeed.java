package io.alphaomega.benchmark.load;

/** Where a lane's next saga comes from, and when. Times are by {@link System#nanoTime}. */
interface SagaFeed {
    /** There is no next one. */
    long NONE = Long.MAX_VALUE;

    /** How many sagas may be open. */
    int limit(long now);

    /** When the next may begin: now or earlier is at once. {@link #NONE} if there is none any more. */
    long dueAt(long now);

    /** The next one, which is due. */
    SimulatedSaga next(long now);
}
