package io.alphaomega.benchmark.report;

/**
 * Whether the generator held alpha back, and why one thinks so.
 *
 * @param text for people
 */
record Generator(boolean bottleneck, String text) {
    /** A thread that runs this share of the time is late with the rest of its work. */
    private static final double THREAD_FULL = 0.9;

    /** A machine this busy has nothing left to give. */
    private static final double MACHINE_FULL = 0.95;

    /** Half of a full machine: alpha and its store share what is left. */
    private static final double MOST_OF_IT = 0.5;

    /**
     * @param cores that this process used, on average
     * @param machineCores of its machine
     */
    static Generator judged(CpuUse use, double cores, int machineCores) {
        if (use.seconds() == 0) return new Generator(false, "Nobody read how busy the generator was.");
        String used = "it used %s of %d cores".formatted(FigureText.digits(cores), machineCores);
        if (use.busiestThread() >= THREAD_FULL) {
            return new Generator(
                    true,
                    "The generator was the bottleneck: one of its threads was busy %s of the time; use more --connections, or more machines with --agents."
                            .formatted(FigureText.percent(use.busiestThread())));
        }
        boolean full = use.machineBusy() >= MACHINE_FULL;
        if (full && cores / machineCores >= MOST_OF_IT) {
            return new Generator(
                    true,
                    "The generator was the bottleneck: its machine was busy %s of the time and %s; run it elsewhere, or on more machines with --agents."
                            .formatted(FigureText.percent(use.machineBusy()), used));
        }
        return new Generator(
                false,
                "The generator was not the bottleneck: %s, and its busiest thread was busy %s of the time.%s"
                        .formatted(
                                used,
                                FigureText.percent(use.busiestThread()),
                                full
                                        ? " But its machine was full: if alpha or its store run there, they would do more without it."
                                        : ""));
    }
}
