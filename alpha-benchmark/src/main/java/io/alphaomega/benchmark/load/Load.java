package io.alphaomega.benchmark.load;

import com.sun.management.OperatingSystemMXBean;
import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.Progress.Phase;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import io.alphaomega.benchmark.plan.SagaNames;
import java.lang.management.ManagementFactory;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** One generator: makes the load of a plan, measures it, and finds out what became of each saga. Used once. */
public final class Load implements AutoCloseable {
    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(20);
    private static final Duration SHOW_EVERY = Duration.ofMillis(250);

    /** Another thread per so many cores: alpha and its store need some too, and one makes 100,000 inputs/s. */
    private static final int CORES_PER_LANE = 4;

    /** Sagas at a time while those that are kept open are begun or ended. */
    private static final int KEEPING_AT_A_TIME = 500;

    /** Sagas that are kept open outlive any run. */
    private static final Duration KEPT_OPEN = Duration.ofDays(7);

    private static final double NANOS_PER_MILLI = 1e6;

    private final LoadPlan plan;
    private final Clock clock;
    private final WallClock wall;
    private final LoadAssignment crew;
    private final AlphaApi api;
    private final List<String> troubles = new ArrayList<>();
    private final Dashboard board;
    private Map<AlphaApi.State, Long> before = Map.of();

    private Load(LoadPlan plan, LoadAssignment.Kept kept, Clock clock, Progress progress, int lanesMost) {
        this.plan = plan;
        this.clock = clock;
        this.wall = new WallClock(clock);
        SecureRandom random = new SecureRandom();
        long number = random.nextLong();
        SagaNames names = new SagaNames(clock.instant(), number);
        int lanes = Math.max(1, Math.min(plan.wiring().connections(), lanesMost));
        this.crew = new LoadAssignment(plan, names, kept, Long.toHexString(number), lanes);
        this.api = new AlphaApi(plan.http());
        this.board = new Dashboard(plan, crew, progress);
        boolean openLoop = plan.pace().isOpenLoop();
        for (int i = 0; i < lanes; i++) crew.add(new LoadLane(crew, i, new LaneRecorder(openLoop)));
    }

    /** A load and its end, on this machine's clock. */
    public static Measurements run(LoadPlan plan, Progress progress) {
        try (Load load = connect(plan, Clock.systemUTC(), progress)) {
            return load.run();
        }
    }

    /**
     * Opens all streams, and begins the sagas that are kept open.
     *
     * @throws UnreachableException if no alpha answers
     */
    public static Load connect(LoadPlan plan, Clock clock, Progress progress) {
        return connected(new Load(plan, new LoadAssignment.Kept(KEPT_OPEN, 1), clock, progress, lanesMost()));
    }

    /** One thread sees everything that happens, in its order. */
    static Load onOneLane(LoadPlan plan, Clock clock) {
        return connected(new Load(plan, new LoadAssignment.Kept(KEPT_OPEN, 1), clock, Progress.UNSEEN, 1));
    }

    private static int lanesMost() {
        return Runtime.getRuntime().availableProcessors() / CORES_PER_LANE;
    }

    /** Leaves the sagas that are kept open to alpha, which undoes them when their time is over. */
    static Load leaving(LoadPlan plan, Duration timeout, Clock clock, Progress progress) {
        int branches = plan.shape().branches();
        Load load = new Load(plan, new LoadAssignment.Kept(timeout, branches), clock, progress, lanesMost());
        for (LoadLane lane : load.crew.lanes()) lane.sagas().drain(new AbandonedSagas(branches));
        return connected(load);
    }

    private static Load connected(Load load) {
        try {
            load.connect();
        } catch (RuntimeException e) {
            load.close();
            throw e;
        }
        return load;
    }

    LoadAssignment crew() {
        return crew;
    }

    /** No alpha answered. The message is a sentence. */
    public static final class UnreachableException extends RuntimeException {
        private static final long serialVersionUID = 1;

        UnreachableException(String reason) {
            super("Alpha is not to be reached: " + reason.replaceFirst("\\.$", "") + ".");
        }
    }

    private void connect() {
        try {
            before = api.counts();
        } catch (AlphaApi.ApiException e) {
            throw new UnreachableException(e.getMessage() + " --http says where alpha answers REST");
        }
        board.enter(Phase.CONNECTING, System.nanoTime(), 0);
        await(each -> each.connect(CONNECT_WITHIN));
        if (plan.amount().keptOpen() == 0) return;
        board.enter(Phase.OPENING, System.nanoTime(), 0);
        await(each -> each.work(OpenSagasFeed.beginning(crew, each.index(), keeping(), each.sagas().outcomes)));
    }

    /** Now. */
    public Measurements run() {
        return run(clock.instant());
    }

    /**
     * The warm-up, if there is one, and the measurement.
     *
     * @param startAt when the warm-up begins; where several generators begin together, a moment soon
     */
    public Measurements run(Instant startAt) {
        long start = wall.nanoTimeAt(startAt);
        long measureFrom = start + plan.amount().warmup().toNanos();
        if (measureFrom > start)
            board.enter(Phase.WARMING_UP, start, plan.amount().warmup().toNanos());
        List<CompletableFuture<Void>> working = new ArrayList<>();
        for (LoadLane lane : crew.lanes()) {
            LoadPlan share = plan.share(lane.index(), crew.laneCount());
            lane.sagas().recorder().measureFrom(measureFrom);
            working.add(lane.work(new MeasuredSagasFeed(crew, lane.index(), share, start)));
        }
        CompletableFuture<Void> all = CompletableFuture.allOf(working.toArray(CompletableFuture[]::new));
        waitFor(all, measureFrom);
        board.enter(Phase.MEASURING, measureFrom, plan.amount().duration().toNanos());
        double cpuBefore = cpuMillis();
        waitFor(all, Long.MAX_VALUE);
        double cpu = cpuMillis() - cpuBefore;
        board.enter(Phase.SETTLING, System.nanoTime(), 0);
        for (LoadLane lane : crew.lanes()) {
            if (lane.trouble() != null) troubles.add(lane.trouble());
        }
        settle();
        Measurements measured = Measurements.NONE;
        for (LoadLane lane : crew.lanes()) {
            measured = measured.merge(ask(lane, () -> lane.sagas().recorder().measurements(wall)));
        }
        return measured.withGeneratorCpu(cpu);
    }

    /**
     * After the run: whether its figures are true.
     *
     * @param alone whether nobody else uses the same alphas meanwhile, so that their counts can be compared
     */
    public Verification verify(boolean alone) {
        return new Verifier(crew, api).verify(alone ? Optional.of(before) : Optional.empty(), troubles);
    }

    /** What this generator knows of its sagas, once the load is over. */
    public SagaBooks books() {
        SagaBooks all = SagaBooks.EMPTY;
        for (LoadLane lane : crew.lanes()) {
            LaneRecorder recorder = lane.sagas().recorder();
            all = all.plus(ask(lane, () -> new SagaBooks(recorder.all(), recorder.keptOpen())));
        }
        return all;
    }

    /** Finds out what is unknown, as far as alpha says it in time, and ends the sagas that were kept open. */
    private void settle() {
        if (plan.amount().keptOpen() > 0 && troubles.isEmpty()) {
            await(each -> each.work(OpenSagasFeed.ending(crew, each.index(), keeping(), each.sagas().outcomes)));
        }
        for (LoadLane lane : crew.lanes()) new OutcomeInquiry(crew, lane, api).resolve(troubles);
    }

    private int keeping() {
        return Math.max(1, KEEPING_AT_A_TIME / crew.laneCount());
    }

    // ---- waiting

    private void await(Function<LoadLane, CompletableFuture<Void>> task) {
        CompletableFuture<?>[] all = crew.lanes().stream().map(task).toArray(CompletableFuture[]::new);
        waitFor(CompletableFuture.allOf(all), Long.MAX_VALUE);
    }

    /** Until it is done, or that moment has come, showing how far it is meanwhile. */
    private void waitFor(CompletableFuture<Void> done, long until) {
        while (!done.isDone()) {
            long left = Math.min(SHOW_EVERY.toNanos(), until - System.nanoTime());
            if (left <= 0) return;
            try {
                done.get(left, TimeUnit.NANOSECONDS);
            } catch (TimeoutException e) {
                board.refresh();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted.", e);
            } catch (ExecutionException e) {
                break;
            }
        }
        try {
            done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof UnreachableException unreachable) throw unreachable;
            throw e;
        }
        board.refresh();
    }

    /** What a lane answers at once. */
    static <T> T ask(LoadLane lane, Callable<T> question) {
        return lane.ask(question).join();
    }

    private static double cpuMillis() {
        OperatingSystemMXBean system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        return system.getProcessCpuTime() / NANOS_PER_MILLI;
    }

    @Override
    public void close() {
        crew.lanes().forEach(LoadLane::close);
        api.close();
    }
}
