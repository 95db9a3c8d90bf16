package io.alphaomega.benchmark.plan;

/** What is decided about each saga beforehand: a hash of the seed and how manieth it is, so no order of events matters. */
public final class SagaChoices {
    private final LoadPlan.Shape shape;
    private final long seed;

    public SagaChoices(LoadPlan.Shape shape, long seed) {
        this.shape = shape;
        this.seed = mix(seed);
    }

    /** Whether its last branch fails. */
    public boolean aborts(long ordinal) {
        return shape.abortRatio() > 0 && unit(mix(seed + ordinal)) < shape.abortRatio();
    }

    /** Whether a compensation of it fails, if it aborts. */
    public boolean compensationFails(long ordinal) {
        return shape.failingCompensationRatio() > 0
                && unit(mix(~seed + ordinal)) < shape.failingCompensationRatio()
                && aborts(ordinal);
    }

    /** Spreads a number over all 64 bits: the finalizer of SplitMix64. */
    static long mix(long value) {
        long z = value + 0x9e3779b97f4a7c15L;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    private static double unit(long bits) {
        return (bits >>> 11) * 0x1.0p-53;
    }
}
