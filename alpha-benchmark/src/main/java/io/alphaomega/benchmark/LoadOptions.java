package io.alphaomega.benchmark;

import io.alphaomega.benchmark.plan.LoadPlan;
import java.time.Duration;
import java.util.List;
import picocli.CommandLine.Option;

/** What the commands that make a load can be told about it; a picocli mixin. */
final class LoadOptions {
    /** Where neither -n nor --duration is given. */
    private static final Duration DURATION = Duration.ofSeconds(30);

    /** Enough that an open loop is one, and few enough that alpha's queues stay short when it cannot follow. */
    private static final int OPEN_LOOP_AT_A_TIME = 10_000;

    @Option(
            names = "--address",
            split = ",",
            paramLabel = "HOST:PORT",
            defaultValue = "127.0.0.1:8071",
            description = "Where alphas take streams; several by commas. Default: ${DEFAULT-VALUE}.")
    private List<String> addresses = List.of();

    @Option(
            names = "--http",
            split = ",",
            paramLabel = "HOST:PORT",
            description = "Where the same alphas answer REST. Default: the hosts of --address, port 8090.")
    private List<String> http = List.of();

    @Option(
            names = {"-n", "--sagas"},
            paramLabel = "SAGAS",
            description = "Measure so many sagas.")
    private long sagas;

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "Measure for so long, such as 500ms, 30s, 5m. Default, without -n: 30s.")
    private Duration duration = Duration.ZERO;

    @Option(names = "--warmup", paramLabel = "TIME", description = "Make load for so long before; in no figure.")
    private Duration warmup = Duration.ZERO;

    @Option(
            names = "--keep-open",
            paramLabel = "SAGAS",
            description = "Begin so many before everything else, hold them open meanwhile, and end them at last.")
    private int keepOpen;

    @Option(
            names = {"-c", "--concurrency"},
            paramLabel = "C|FROM..TO",
            description = "Sagas at a time: the next begins when one has ended. Default: 100. With --rate: the most"
                    + " that are open at a time; later ones wait, and their waiting counts. Default then: 10000.")
    private Range concurrency = Range.NONE;

    @Option(
            names = "--rate",
            paramLabel = "R|FROM..TO",
            description = "Begin so many sagas per second, whatever alpha does; their time counts from the moment at"
                    + " which they should have begun.")
    private Range rate = Range.NONE;

    @Option(
            names = "--ramp",
            paramLabel = "TIME",
            description = "Climb to -c or --rate in this time. Default: with FROM..TO the whole --duration.")
    private Duration ramp = Duration.ZERO;

    @Option(names = "--branches", paramLabel = "B", defaultValue = "3", description = "Branches of a saga. Default: 3.")
    private int branches;

    @Option(names = "--payload", paramLabel = "BYTES", description = "The arguments of each branch. Default: 0.")
    private int payload;

    @Option(
            names = "--abort-ratio",
            paramLabel = "0..1",
            description = "Share of the sagas whose last branch fails; their other branches are compensated.")
    private double abortRatio;

    @Option(
            names = "--failing-compensation-ratio",
            paramLabel = "0..1",
            description = "Share of those that abort and have a compensation that fails until alpha suspends the saga.")
    private double failingCompensationRatio;

    @Option(names = "--tcc", description = "Branches have a confirmation; a saga ends when all are confirmed.")
    private boolean tcc;

    @Option(
            names = "--think-time",
            paramLabel = "TIME",
            description = "What the business of a branch takes. Rounded up to 5 ms. Default: 0.")
    private Duration thinkTime = Duration.ZERO;

    @Option(
            names = "--async-branches",
            paramLabel = "N",
            description = "How many of the last branches still run when the initiator ends the saga. Default: 0.")
    private int asyncBranches;

    @Option(
            names = "--carried",
            description = "Reports travel: the begin with the first branch, the end of each with what is told next.")
    private boolean carried;

    @Option(
            names = "--services",
            paramLabel = "S",
            defaultValue = "3",
            description = "Simulated services; a saga's branches go round them. Default: 3.")
    private int services;

    @Option(
            names = "--connections",
            paramLabel = "C",
            defaultValue = "1",
            description = "Instances of each service, each with a stream of its own. Default: 1.")
    private int connections;

    @Option(
            names = "--seed",
            paramLabel = "N",
            defaultValue = "1",
            description = "Decides which sagas abort. Default: 1.")
    private long seed;

    /** Everything, checked. */
    LoadPlan plan() {
        return plan(pace(), DURATION);
    }

    /**
     * An open loop at that rate.
     *
     * @param usual how long it takes, unless an option says so
     */
    LoadPlan planAt(double perSecond, Duration usual) {
        if (rate.isGiven()) throw new IllegalArgumentException("--rate must not be given: it is what is searched.");
        int most = concurrency.isGiven() ? (int) concurrency.to() : OPEN_LOOP_AT_A_TIME;
        return plan(LoadPlan.Pace.perSecond(perSecond, most), usual);
    }

    /**
     * Nothing but open sagas.
     *
     * @param usual how many, unless an option says so
     */
    LoadPlan planKeeping(int usual) {
        long open = sagas > 0 ? sagas : keepOpen > 0 ? keepOpen : usual;
        if (open > Integer.MAX_VALUE)
            throw new IllegalArgumentException("-n must be at most 10000000, but is " + open + ".");
        LoadPlan plan = plan(pace(), DURATION);
        return plan.with(new LoadPlan.Amount(1, Duration.ZERO, Duration.ZERO, (int) open));
    }

    /** Everything but how much: somebody else says when it is enough. */
    LoadPlan planUntilStopped() {
        if (sagas > 0 || !duration.isZero() || keepOpen > 0) {
            throw new IllegalArgumentException(
                    "-n, --duration and --keep-open must not be given: the disturbances say how long it takes.");
        }
        return plan(pace(), DURATION);
    }

    private LoadPlan plan(LoadPlan.Pace pace, Duration usual) {
        Duration measured = sagas == 0 && duration.isZero() ? usual : duration;
        return new LoadPlan(
                addresses,
                http.isEmpty() ? LoadPlan.httpBeside(addresses) : http,
                new LoadPlan.Amount(sagas, measured, warmup, keepOpen),
                pace,
                new LoadPlan.Shape(
                        branches,
                        payload,
                        abortRatio,
                        failingCompensationRatio,
                        tcc,
                        thinkTime,
                        asyncBranches,
                        carried),
                new LoadPlan.Wiring(services, connections),
                seed);
    }

    private LoadPlan.Pace pace() {
        boolean openLoop = rate.isGiven();
        Range atATime = concurrency.isGiven() ? concurrency : Range.of(openLoop ? OPEN_LOOP_AT_A_TIME : 100);
        boolean ramps = !ramp.isZero();
        return new LoadPlan.Pace(
                (int) (openLoop ? atATime.to() : ramps ? atATime.fromOr(1) : atATime.from()),
                (int) atATime.to(),
                openLoop ? (ramps ? rate.fromOr(0) : rate.from()) : 0,
                openLoop ? rate.to() : 0,
                ramp);
    }
}
