package io.alphaomega.benchmark.plan;

import java.time.Duration;
import java.util.List;

/**
 * What load one generator makes: every knob. Refuses nonsense with the option's name in the sentence.
 *
 * @param addresses of alphas, each host:port; streams are spread over them
 * @param http where the same alphas answer REST, each host:port
 * @param seed decides which sagas abort and which compensations fail; equal seeds, equal choices
 */
public record LoadPlan(
        List<String> addresses, List<String> http, Amount amount, Pace pace, Shape shape, Wiring wiring, long seed) {
    /** A node takes 10,000 streams; more alphas than this on one command line is a mistake. */
    private static final int ADDRESSES_MAX = 100;

    private static final int HTTP_PORT = 8090;

    public LoadPlan {
        require(
                !addresses.isEmpty() && addresses.size() <= ADDRESSES_MAX,
                "--address",
                "1 to 100 addresses",
                addresses);
        addresses = List.copyOf(addresses);
        for (String address : addresses) requireAddress("--address", address);
        require(!http.isEmpty() && http.size() <= ADDRESSES_MAX, "--http", "1 to 100 addresses", http);
        http = List.copyOf(http);
        for (String address : http) requireAddress("--http", address);
        require(
                shape.asyncBranches() <= shape.branches(),
                "--async-branches",
                "at most --branches, which is " + shape.branches(),
                shape.asyncBranches());
        require(
                amount.sagas() == 0 || !pace.climbs() || !pace.ramp().isZero(),
                "--ramp",
                "the time of the climb, where -n says how many sagas there are",
                "nothing");
    }

    /** 3-branch sagas, one service each, 100 at a time, for 30 s. */
    public static LoadPlan against(List<String> addresses) {
        return new LoadPlan(
                addresses,
                httpBeside(addresses),
                Amount.lasting(Duration.ofSeconds(30)),
                Pace.atATime(100),
                Shape.ofBranches(3),
                new Wiring(3, 1),
                1);
    }

    /** Alpha's default port for REST, on the hosts of the addresses. */
    public static List<String> httpBeside(List<String> addresses) {
        return addresses.stream()
                .map(address -> address.substring(0, Math.max(0, address.lastIndexOf(':'))) + ":" + HTTP_PORT)
                .distinct()
                .toList();
    }

    public LoadPlan with(Amount changed) {
        return new LoadPlan(addresses, http, changed, pace, shape, wiring, seed);
    }

    public LoadPlan with(Pace changed) {
        return new LoadPlan(addresses, http, amount, changed, shape, wiring, seed);
    }

    public LoadPlan with(Shape changed) {
        return new LoadPlan(addresses, http, amount, pace, changed, wiring, seed);
    }

    public LoadPlan with(Wiring changed) {
        return new LoadPlan(addresses, http, amount, pace, shape, changed, seed);
    }

    /** The share of one of {@code of} generators that together make this load, counted from 0. */
    public LoadPlan share(int index, int of) {
        return new LoadPlan(
                addresses, http, amount.share(index, of), pace.share(index, of), shape, wiring, seed + index);
    }

    /**
     * How much is measured.
     *
     * @param sagas measured ones; 0 if {@code duration} says it
     * @param duration of the measurement; zero if {@code sagas} says it
     * @param warmup before the measurement, counted in no figure
     * @param keptOpen sagas begun before everything else and held open, with one finished branch, until the end
     */
    public record Amount(long sagas, Duration duration, Duration warmup, int keptOpen) {
        /** Each takes one byte here. */
        private static final long SAGAS_MAX = 1_000_000_000;

        private static final int KEPT_OPEN_MAX = 10_000_000;

        /** The series has a line per second. */
        private static final Duration DURATION_MAX = Duration.ofHours(24);

        public Amount {
            require(sagas >= 0 && sagas <= SAGAS_MAX, "-n", "1 to " + SAGAS_MAX, sagas);
            requireDuration("--duration", duration, DURATION_MAX);
            requireDuration("--warmup", warmup, DURATION_MAX);
            require(sagas == 0 || duration.isZero(), "--duration", "nothing, where -n is given", duration);
            require(sagas > 0 || !duration.isZero(), "--duration", "a duration such as 30s, or -n", "neither");
            require(keptOpen >= 0 && keptOpen <= KEPT_OPEN_MAX, "--keep-open", "0 to " + KEPT_OPEN_MAX, keptOpen);
        }

        public static Amount sagas(long sagas) {
            return new Amount(sagas, Duration.ZERO, Duration.ZERO, 0);
        }

        public static Amount lasting(Duration duration) {
            return new Amount(0, duration, Duration.ZERO, 0);
        }

        public Amount afterWarmup(Duration changed) {
            return new Amount(sagas, duration, changed, keptOpen);
        }

        private Amount share(int index, int of) {
            return new Amount(part(sagas, index, of), duration, warmup, (int) part(keptOpen, index, of));
        }
    }

    /**
     * How fast. A closed loop begins a saga when another has ended; an open one at fixed moments, whatever alpha does,
     * and counts a saga's time from its moment.
     *
     * @param concurrencyFrom sagas at a time when the climb begins
     * @param concurrency sagas at a time after it; in an open loop the most that are open at a time, later ones wait
     * @param rateFrom sagas per second when the climb begins
     * @param rate sagas per second after it; 0 for a closed loop
     * @param ramp how long the climb takes; zero and a climb: the whole measurement. It begins with the measurement
     */
    public record Pace(int concurrencyFrom, int concurrency, double rateFrom, double rate, Duration ramp) {
        /** Each open saga takes some 500 bytes here. */
        private static final int CONCURRENCY_MAX = 1_000_000;

        private static final double RATE_MAX = 10_000_000;

        public Pace {
            String concurrencies = "1 to " + CONCURRENCY_MAX;
            require(concurrency >= 1 && concurrency <= CONCURRENCY_MAX, "-c", concurrencies, concurrency);
            require(concurrencyFrom >= 1 && concurrencyFrom <= CONCURRENCY_MAX, "-c", concurrencies, concurrencyFrom);
            require(rate >= 0 && rate <= RATE_MAX, "--rate", "more than 0 and at most " + RATE_MAX, rate);
            require(rateFrom >= 0 && rateFrom <= RATE_MAX, "--rate", "at least 0 and at most " + RATE_MAX, rateFrom);
            requireDuration("--ramp", ramp, Duration.ofHours(24));
        }

        public static Pace atATime(int concurrency) {
            return new Pace(concurrency, concurrency, 0, 0, Duration.ZERO);
        }

        /** An open loop of at most {@code most} open sagas at a time. */
        public static Pace perSecond(double rate, int most) {
            return new Pace(most, most, rate, rate, Duration.ZERO);
        }

        public boolean isOpenLoop() {
            return rate > 0;
        }

        public boolean climbs() {
            return isOpenLoop() ? rateFrom != rate : concurrencyFrom != concurrency;
        }

        private Pace share(int index, int of) {
            return new Pace(
                    (int) Math.max(1, part(concurrencyFrom, index, of)),
                    (int) Math.max(1, part(concurrency, index, of)),
                    rateFrom / of,
                    rate / of,
                    ramp);
        }
    }

    /**
     * What a saga is like.
     *
     * @param branches of one saga, one after the other
     * @param payloadBytes the arguments of each branch
     * @param abortRatio of the sagas, 0 to 1: the last branch fails, and those before it are compensated
     * @param failingCompensationRatio of those that abort, 0 to 1: a compensation fails until alpha suspends the saga
     * @param tcc whether branches offer a confirmation too, so that a saga has ended once all are confirmed
     * @param thinkTime what a branch takes between its begin and its end
     * @param asyncBranches of the branches, the last ones, which are still running when the initiator ends the saga
     * @param carried whether the begin travels with the first branch, and the end of each with what is told next
     */
    public record Shape(
            int branches,
            int payloadBytes,
            double abortRatio,
            double failingCompensationRatio,
            boolean tcc,
            Duration thinkTime,
            int asyncBranches,
            boolean carried) {
        /** Alpha's own limits. */
        private static final int BRANCHES_MAX = 500;

        private static final int PAYLOAD_BYTES_MAX = 64 * 1024;

        /** All payloads of one saga together, in alpha, with some room for names. */
        private static final int SAGA_BYTES_MAX = 900 * 1024;

        private static final Duration THINK_TIME_MAX = Duration.ofMinutes(10);

        public Shape {
            require(branches >= 1 && branches <= BRANCHES_MAX, "--branches", "1 to " + BRANCHES_MAX, branches);
            require(
                    payloadBytes >= 0 && payloadBytes <= PAYLOAD_BYTES_MAX,
                    "--payload",
                    "0 to " + PAYLOAD_BYTES_MAX + " bytes",
                    payloadBytes);
            require(
                    (long) branches * payloadBytes <= SAGA_BYTES_MAX,
                    "--payload",
                    "at most " + SAGA_BYTES_MAX + " bytes in all branches",
                    (long) branches * payloadBytes);
            requireRatio("--abort-ratio", abortRatio);
            requireRatio("--failing-compensation-ratio", failingCompensationRatio);
            require(
                    failingCompensationRatio == 0 || (branches > 1 && abortRatio > 0),
                    "--failing-compensation-ratio",
                    "0 where nothing is compensated (--abort-ratio 0 or --branches 1)",
                    failingCompensationRatio);
            requireDuration("--think-time", thinkTime, THINK_TIME_MAX);
            require(asyncBranches >= 0, "--async-branches", "0 or more", asyncBranches);
            require(!carried || asyncBranches == 0, "--async-branches", "0 with --carried", asyncBranches);
        }

        public static Shape ofBranches(int branches) {
            return new Shape(branches, 0, 0, 0, false, Duration.ZERO, 0, false);
        }
    }

    /**
     * How the simulated omegas are connected.
     *
     * @param services simulated services; a saga's branches go round them
     * @param connections of each service; instances, that is
     */
    public record Wiring(int services, int connections) {
        /** What one alpha takes. */
        private static final int STREAMS_MAX = 10_000;

        public Wiring {
            require(services >= 1 && services <= STREAMS_MAX, "--services", "1 to " + STREAMS_MAX, services);
            require(
                    connections >= 1 && (long) connections * services <= STREAMS_MAX,
                    "--connections",
                    "1 or more, and with --services together at most " + STREAMS_MAX + " streams",
                    connections);
        }
    }

    private static long part(long whole, int index, int of) {
        return whole / of + (index < whole % of ? 1 : 0);
    }

    private static void requireAddress(String option, String address) {
        int colon = address.lastIndexOf(':');
        boolean good = colon > 0;
        try {
            int port = good ? Integer.parseInt(address.substring(colon + 1)) : 0;
            good = port >= 1 && port <= 65_535;
        } catch (NumberFormatException e) {
            good = false;
        }
        require(good, option, "host:port", address);
    }

    private static void requireRatio(String option, double ratio) {
        require(ratio >= 0 && ratio <= 1, option, "0 to 1", ratio);
    }

    private static void requireDuration(String option, Duration value, Duration max) {
        require(!value.isNegative() && value.compareTo(max) <= 0, option, "0 to " + max, value);
    }

    private static void require(boolean good, String option, String expected, Object found) {
        if (!good) throw new IllegalArgumentException("%s must be %s, but is %s.".formatted(option, expected, found));
    }
}
