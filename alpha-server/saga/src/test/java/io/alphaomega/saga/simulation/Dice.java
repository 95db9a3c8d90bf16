package io.alphaomega.saga.simulation;

import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;

/** The only source of chance in a history: whatever it rolls follows from the seed. */
final class Dice {
    private final SplittableRandom random;

    Dice(long seed) {
        random = new SplittableRandom(seed);
    }

    boolean percent(int chance) {
        return chance > 0 && random.nextInt(100) < chance;
    }

    boolean oneIn(int sides) {
        return random.nextInt(sides) == 0;
    }

    /** From {@code least} to {@code most}, both included. */
    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }

    int oneOf(int... numbers) {
        return numbers[random.nextInt(numbers.length)];
    }

    <T> void shuffle(List<T> things) {
        for (int i = things.size() - 1; i > 0; i--) Collections.swap(things, i, between(0, i));
    }

    <T> T oneOf(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }
}
