package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** One run of one coordinator, as the agent has it. The run ends with its connection, whichever ends first. */
final class AgentRun implements Progress {
    private final AgentConnection wire;
    private final Agent.Settings settings;
    private final CountDownLatch go = new CountDownLatch(1);
    private volatile @Nullable Instant wentAt;
    private volatile boolean told;

    AgentRun(AgentConnection wire, Agent.Settings settings) {
        this.wire = wire;
        this.settings = settings;
    }

    /** Makes the load; returns how that ended, for the log. */
    String make(LoadPlan plan) {
        wire.beat(new FromAgent.Beat());
        Thread load = Thread.ofPlatform().name("load").start(() -> run(plan));
        String left = listen();
        load.interrupt();
        try {
            load.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return told ? "is over" : "was stopped: " + left;
    }

    /** Until the coordinator closes the connection, or has gone without doing so. */
    private String listen() {
        try {
            while (true) {
                switch (wire.read(ToAgent.class, AgentConnection.SMALL)) {
                    case ToAgent.Go ignored -> {
                        wentAt = settings.clock().instant();
                        go.countDown();
                    }
                    case ToAgent.Beat ignored -> {}
                    case ToAgent.Prepare ignored -> throw new IOException("it told a second plan");
                }
            }
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private void run(LoadPlan plan) {
        try {
            AgentWork.Result result = settings.work().make(plan, this, this::awaitGo);
            Instant went = wentAt;
            if (went == null) throw new IllegalStateException("The load began before it was told to.");
            tell(new FromAgent.Done(went, result.measurements(), result.verification(), result.books()));
        } catch (InterruptedException e) {
            // The coordinator does not want it any more.
        } catch (RuntimeException e) {
            if (Thread.currentThread().isInterrupted()) return;
            if (!(e instanceof IllegalArgumentException)) e.printStackTrace(settings.log());
            tell(new FromAgent.Failed(e.getMessage() != null ? e.getMessage() : e.toString()));
        }
    }

    private void awaitGo() throws InterruptedException {
        say(new FromAgent.Prepared());
        go.await();
    }

    @Override
    public void show(Snapshot snapshot) {
        say(new FromAgent.Shown(snapshot));
    }

    @Override
    public void entered(Phase phase) {
        settings.log().println(phase.name().toLowerCase(Locale.ROOT).replace('_', ' '));
        say(new FromAgent.Entered(phase));
    }

    private void tell(FromAgent last) {
        told = say(last);
    }

    private boolean say(FromAgent message) {
        try {
            wire.write(message);
            return true;
        } catch (IOException e) {
            return false; // Whoever reads ends the run.
        }
    }
}
