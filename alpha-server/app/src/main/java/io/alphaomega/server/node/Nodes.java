package io.alphaomega.server.node;

import akka.actor.ActorSelection;
import akka.actor.Address;
import akka.actor.typed.ActorRef;
import akka.actor.typed.ActorSystem;
import akka.actor.typed.javadsl.Adapter;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Cluster;
import akka.pattern.Patterns;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/** All nodes of the cluster, as this one sees them and as they say themselves. */
public final class Nodes {
    /** A node that works answers within milliseconds; one that is paused or cut off shall not keep a person waiting. */
    static final Duration ANSWER_WITHIN = Duration.ofSeconds(1);

    /** The name of each node's {@link NodeActor}; fixed, because neighbouring versions ask each other. */
    static final String ACTOR = "node";

    /**
     * A node of the cluster.
     *
     * @param address host:port, for other nodes
     * @param status as the cluster has agreed on it
     * @param reachable whether this node hears its heartbeat
     * @param self whether it is the one that was asked
     * @param oldest whether what the cluster has one of runs here
     * @param report empty if the node did not answer within {@link #ANSWER_WITHIN}
     * @param clock how far its clock is ahead of that of the node that was asked; empty if it does not say
     */
    public record Node(
            String address,
            Status status,
            List<String> roles,
            boolean reachable,
            boolean self,
            boolean oldest,
            Optional<NodeReport> report,
            Optional<ClockOffset> clock) {}

    /** What a node says of itself, and what follows from when it said so. */
    record Heard(NodeReport report, Optional<ClockOffset> offset) {}

    /** How far a node has come, or gone. */
    public enum Status {
        JOINING,
        WEAKLY_UP,
        UP,
        LEAVING,
        EXITING,
        DOWN,
        REMOVED
    }

    private final Clock clock;
    private volatile @Nullable ActorSystem<?> system;

    public Nodes(Clock clock) {
        this.clock = clock;
    }

    void open(ActorSystem<?> system) {
        this.system = system;
    }

    void close() {
        system = null;
    }

    /**
     * Asks every node at once, and waits for at most {@link #ANSWER_WITHIN}. Oldest first; empty while this node is
     * starting or stopping.
     */
    public List<Node> all() {
        ActorSystem<?> running = system;
        if (running == null) return List.of();
        Cluster cluster = Cluster.get(running);
        CurrentClusterState state = cluster.state();
        List<Member> members = byAge(state);
        Optional<Member> oldest = oldest(state);
        List<CompletableFuture<Optional<Heard>>> answers =
                members.stream().map(member -> measure(member, running, clock)).toList();
        return IntStream.range(0, members.size())
                .mapToObj(i -> node(
                        members.get(i),
                        state,
                        cluster.selfMember(),
                        oldest,
                        answers.get(i).join()))
                .toList();
    }

    /** The member on which what the cluster has one of runs. */
    static Optional<Member> oldest(CurrentClusterState state) {
        return byAge(state).stream()
                .filter(member -> member.status().equals(MemberStatus.up()))
                .findFirst();
    }

    /** The oldest first, and those that are not up yet last. */
    static List<Member> byAge(CurrentClusterState state) {
        return StreamSupport.stream(state.getMembers().spliterator(), false)
                .sorted(Comparator.comparing(Function.identity(), Member.ageOrdering()))
                .toList();
    }

    private static Node node(
            Member member, CurrentClusterState state, Member self, Optional<Member> oldest, Optional<Heard> answer) {
        return new Node(
                hostAndPort(member.address()),
                status(member.status()),
                member.getRoles().stream()
                        .filter(role -> !role.startsWith("dc-"))
                        .sorted()
                        .toList(),
                !state.getUnreachable().contains(member),
                member.uniqueAddress().equals(self.uniqueAddress()),
                oldest.filter(member::equals).isPresent(),
                answer.map(Heard::report),
                answer.flatMap(Heard::offset));
    }

    /** What the node says of itself, with its clock compared; empty if it does not answer. */
    static CompletableFuture<Optional<Heard>> measure(Member member, ActorSystem<?> system, Clock clock) {
        Instant sent = clock.instant();
        return ask(member, system).thenApply(answer -> {
            Instant received = clock.instant();
            return answer.map(report ->
                    new Heard(report, report.clock().map(theirs -> ClockOffset.measured(sent, theirs, received))));
        });
    }

    /** What the node says of itself; empty if it does not answer. */
    private static CompletableFuture<Optional<NodeReport>> ask(Member member, ActorSystem<?> system) {
        return ask(hostAndPort(member.address()), system);
    }

    /**
     * What the node at that address says of itself, member or not; empty if it does not answer. It is asked by a selection:
     * remoting gives a resolved actor a short name, and if that one did not exist yet when it was first sent to, what is sent
     * under that name is lost for good. A selection also passes where an earlier life of that node was taken for dead.
     */
    static CompletableFuture<Optional<NodeReport>> ask(String hostAndPort, ActorSystem<?> system) {
        return ask(hostAndPort, false, system);
    }

    /** The same, and which saga its store has, if that answers in time as well. */
    static CompletableFuture<Optional<NodeReport>> askOfStore(Member member, ActorSystem<?> system) {
        return ask(hostAndPort(member.address()), true, system);
    }

    private static CompletableFuture<Optional<NodeReport>> ask(
            String hostAndPort, boolean ofStore, ActorSystem<?> system) {
        return ask(
                hostAndPort,
                ACTOR,
                replyTo -> new AskNode(Adapter.toTyped(replyTo), ofStore),
                NodeReport.class,
                system);
    }

    private static <A> CompletableFuture<Optional<A>> ask(
            String hostAndPort,
            String name,
            Function<akka.actor.ActorRef, Object> question,
            Class<A> answer,
            ActorSystem<?> system) {
        ActorSelection actor = Adapter.toClassic(system)
                .actorSelection("akka://%s@%s/system/%s".formatted(system.name(), hostAndPort, name));
        return Patterns.askWithReplyTo(actor, question::apply, ANSWER_WITHIN)
                .handle((answered, none) ->
                        Optional.ofNullable(answered).filter(answer::isInstance).map(answer::cast))
                .toCompletableFuture();
    }

    /**
     * What each node of the cluster answers, by its address; empty for those that do not within {@link #ANSWER_WITHIN}. This
     * node is one of them.
     *
     * @param name of the actor that each node has one of
     */
    public static <A> Map<String, CompletableFuture<Optional<A>>> askAll(
            String name, Function<ActorRef<A>, Object> question, Class<A> answer, ActorSystem<?> system) {
        Map<String, CompletableFuture<Optional<A>>> answers = new LinkedHashMap<>();
        for (Member member : byAge(Cluster.get(system).state())) {
            String address = hostAndPort(member.address());
            answers.put(
                    address, ask(address, name, replyTo -> question.apply(Adapter.toTyped(replyTo)), answer, system));
        }
        return answers;
    }

    /** All members but this node, whatever their status. */
    static List<Member> others(Cluster cluster) {
        Member self = cluster.selfMember();
        return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
                .filter(member -> !member.uniqueAddress().equals(self.uniqueAddress()))
                .toList();
    }

    /** What each of them says of itself, in their order; empty for those that do not answer. */
    static CompletableFuture<List<Optional<NodeReport>>> ask(List<Member> members, ActorSystem<?> system) {
        List<CompletableFuture<Optional<NodeReport>>> answers =
                members.stream().map(member -> ask(member, system)).toList();
        return CompletableFuture.allOf(answers.toArray(CompletableFuture[]::new))
                .thenApply(all -> answers.stream().map(CompletableFuture::join).toList());
    }

    static String hostAndPort(Address address) {
        return address.getHost().orElse("") + ":" + address.getPort().orElse(0);
    }

    private static Status status(MemberStatus status) {
        if (status.equals(MemberStatus.joining())) return Status.JOINING;
        if (status.equals(MemberStatus.weaklyUp())) return Status.WEAKLY_UP;
        if (status.equals(MemberStatus.up())) return Status.UP;
        if (status.equals(MemberStatus.leaving())) return Status.LEAVING;
        if (status.equals(MemberStatus.exiting())) return Status.EXITING;
        return status.equals(MemberStatus.down()) ? Status.DOWN : Status.REMOVED;
    }
}
