package io.alphaomega.benchmark.agent;

import io.alphaomega.benchmark.measure.Measurements;
import io.alphaomega.benchmark.measure.Progress;
import io.alphaomega.benchmark.measure.SagaBooks;
import io.alphaomega.benchmark.measure.Verification;
import io.alphaomega.benchmark.plan.LoadPlan;
import java.io.IOException;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Agents on many machines that make one load: each gets its share of it, all begin at once, and what they measured is put
 * together. If one does not do its share there is no result, and the others are stopped; so they are when this process
 * ends, however it does.
 */
public final class Agents {
    /** More machines than this want another way of collecting. */
    private static final int AGENTS_MAX = 100;

    private static final Duration CONNECT_WITHIN = Duration.ofSeconds(5);
    private static final Duration SHOWN_EACH = Duration.ofMillis(250);

    private final List<AgentAddress> endpoints;
    private final AgentToken token;
    private final String version;
    private final Clock clock;

    Agents(List<AgentAddress> endpoints, AgentToken token, String version, Clock clock) {
        if (endpoints.isEmpty() || endpoints.size() > AGENTS_MAX) {
            throw new IllegalArgumentException(
                    "--agents must be 1 to %d agents, but is %d.".formatted(AGENTS_MAX, endpoints.size()));
        }
        if (new HashSet<>(endpoints).size() < endpoints.size()) {
            throw new IllegalArgumentException("--agents must name each agent once, but is %s.".formatted(endpoints));
        }
        this.endpoints = List.copyOf(endpoints);
        this.token = token;
        this.version = version;
        this.clock = clock;
    }

    /**
     * What all of them came to.
     *
     * @param measurements of all, as if it had been one generator
     * @param books of all
     * @param byAgent of each, by its host and port
     */
    public record Together(
            Measurements measurements, Verification verification, SagaBooks books, Map<String, Measurements> byAgent) {}

    /** Returns when all have done their share. */
    public Together run(LoadPlan plan, Progress progress) throws AgentFailedException, InterruptedException {
        requireShares("-n", plan.amount().sagas() > 0 ? plan.amount().sagas() : Long.MAX_VALUE);
        requireShares("-c", Math.min(plan.pace().concurrencyFrom(), plan.pace().concurrency()));
        try (Meeting meeting = new Meeting()) {
            for (int i = 0; i < endpoints.size(); i++) {
                meeting.invite(new JoinedAgent(endpoints.get(i)), plan.share(i, endpoints.size()));
            }
            return meeting.hold(new CombinedProgress(meeting.members, progress));
        }
    }

    private void requireShares(String option, long whole) {
        if (whole < endpoints.size()) {
            throw new IllegalArgumentException("%s must be at least 1 for each of the %d agents, but is %d."
                    .formatted(option, endpoints.size(), whole));
        }
    }

    /** What came from an agent, or why nothing will come any more. */
    private sealed interface News {
        JoinedAgent member();

        record Said(JoinedAgent member, FromAgent message) implements News {}

        record Lost(JoinedAgent member, String why) implements News {}
    }

    /** The connections of one run. A thread per agent listens; one thread acts on what came. */
    private final class Meeting implements AutoCloseable {
        private final List<JoinedAgent> members = new ArrayList<>();
        private final Queue<AgentConnection> wires = new ConcurrentLinkedQueue<>();
        private final BlockingQueue<News> news = new LinkedBlockingQueue<>();
        private volatile boolean over;

        void invite(JoinedAgent member, LoadPlan share) {
            members.add(member);
            Thread.ofVirtual().name("agent " + member.endpoint).start(() -> {
                try (Socket socket = new Socket()) {
                    listen(member, connected(socket, member), share);
                } catch (IOException e) {
                    news.add(new News.Lost(member, "is lost: " + e.getMessage() + "."));
                } catch (AgentFailedException e) {
                    news.add(new News.Lost(member, String.valueOf(e.getMessage())));
                }
            });
        }

        private AgentConnection connected(Socket socket, JoinedAgent member) throws IOException, AgentFailedException {
            try {
                socket.connect(member.endpoint.resolved(), (int) CONNECT_WITHIN.toMillis());
            } catch (UnknownHostException e) {
                throw new AgentFailedException("cannot be reached: nobody knows a machine of that name.");
            } catch (IOException e) {
                throw new AgentFailedException(
                        "cannot be reached (%s): start it there with 'alpha-benchmark agent --listen HOST:PORT', and see that no firewall is between."
                                .formatted(e.getMessage()));
            }
            AgentConnection wire = new AgentConnection(socket);
            wires.add(wire);
            if (over) wire.close();
            return wire;
        }

        private void listen(JoinedAgent member, AgentConnection wire, LoadPlan share)
                throws IOException, AgentFailedException {
            if (!(wire.read(FromAgent.class, AgentConnection.SMALL) instanceof FromAgent.Hello hello)) {
                throw new IOException("it did not say which version it is");
            }
            if (!hello.version().equals(version)) {
                throw new AgentFailedException("is version %s, and this is version %s: run one version everywhere."
                        .formatted(hello.version(), version));
            }
            if (hello.wantsToken() && token.isNone()) {
                throw new AgentFailedException("wants a token: give --token-file, the same as to it.");
            }
            member.wire = wire;
            wire.write(new ToAgent.Prepare(token.proof(hello.nonce()), share));
            wire.beat(new ToAgent.Beat());
            while (true) {
                FromAgent message = wire.read(FromAgent.class, AgentConnection.LARGE);
                news.add(new News.Said(member, message));
                if (message instanceof FromAgent.Done || message instanceof FromAgent.Failed) break;
            }
            // The agent waits for this side to close, which happens when all are done.
            wire.finish();
        }

        Together hold(CombinedProgress gathering) throws AgentFailedException, InterruptedException {
            @Nullable Instant wentAt = null;
            long shown = System.nanoTime();
            while (!members.stream().allMatch(member -> member.done != null)) {
                long wait = SHOWN_EACH.toNanos() - (System.nanoTime() - shown);
                News next = wait > 0 ? news.poll(wait, TimeUnit.NANOSECONDS) : null;
                if (next == null) {
                    shown = System.nanoTime();
                    gathering.show();
                    continue;
                }
                act(next, gathering);
                if (wentAt == null && members.stream().allMatch(member -> member.prepared)) {
                    wentAt = clock.instant();
                    for (JoinedAgent member : members) go(member);
                }
            }
            gathering.show();
            return together(wentAt != null ? wentAt : clock.instant());
        }

        private void act(News next, CombinedProgress gathering) throws AgentFailedException {
            JoinedAgent member = next.member();
            switch (next) {
                case News.Lost lost -> throw discarded(member, lost.why());
                case News.Said said -> {
                    switch (said.message()) {
                        case FromAgent.Hello hello -> throw discarded(member, "is lost: it said hello twice.");
                        case FromAgent.Prepared prepared -> member.prepared = true;
                        case FromAgent.Entered entered -> gathering.entered(member, entered.phase());
                        case FromAgent.Shown shown -> member.snapshot = shown.snapshot();
                        case FromAgent.Beat beat -> {}
                        case FromAgent.Done done -> member.done = done;
                        case FromAgent.Failed failed ->
                            throw discarded(member, "did not do its share: " + failed.why() + ".");
                    }
                }
            }
        }

        private void go(JoinedAgent member) throws AgentFailedException {
            try {
                if (member.wire != null) member.wire.write(new ToAgent.Go());
            } catch (IOException e) {
                throw discarded(member, "is lost: " + e.getMessage() + ".");
            }
        }

        private AgentFailedException discarded(JoinedAgent member, String why) {
            return new AgentFailedException("Agent %s %s%s"
                    .formatted(
                            member.endpoint,
                            why.replaceFirst("\\.+$", "."),
                            members.size() == 1
                                    ? " Nothing was measured."
                                    : " The other agents are stopped, and what they measured is discarded."));
        }

        private Together together(Instant wentAt) {
            Measurements all = Measurements.NONE;
            SagaBooks books = SagaBooks.EMPTY;
            List<String> checked = new ArrayList<>();
            List<String> mismatches = new ArrayList<>();
            Map<String, Measurements> byAgent = new LinkedHashMap<>();
            for (JoinedAgent member : members) {
                Measurements measured = member.measurements(wentAt);
                all = all.merge(measured);
                byAgent.put(member.endpoint.toString(), measured);
                FromAgent.Done done = member.done;
                if (done == null) continue;
                books = books.plus(done.books());
                for (String each : done.verification().checked()) checked.add(member.endpoint + ": " + each);
                for (String each : done.verification().mismatches()) mismatches.add(member.endpoint + ": " + each);
            }
            return new Together(all, new Verification(checked, mismatches), books, byAgent);
        }

        @Override
        public void close() {
            over = true;
            for (AgentConnection wire : wires) wire.close();
        }
    }
}
