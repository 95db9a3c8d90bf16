package io.alphaomega.benchmark.load;

/**
 * What a generator knows of all sagas that it began, those of the warm-up too.
 *
 * @param keptOpen those that are open on purpose, and stay so
 */
public record Books(Counts all, long keptOpen) {
    public static final Books EMPTY = new Books(Counts.NONE, 0);

    public Books plus(Books other) {
        return new Books(all.plus(other.all), keptOpen + other.keptOpen);
    }
}
