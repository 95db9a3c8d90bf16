package io.alphaomega.server.node;

import akka.actor.Address;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Down;
import io.alphaomega.server.properties.ClusterProperties.Resolver;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that has a silent node removed at once if its process is gone: its machine is there and says that nobody
 * listens at the node's port. It does not say so of a node that is paused; of one that is out of reach only a firewall
 * may. For those the split brain resolver waits until everybody has seen the same.
 *
 * <p>Who goes on stays the resolver's to decide: nothing is done where it might end this node. Nodes that refuse
 * connections count as lost for that even if they are heard still, as one may notice that it is cut off from all others
 * of one after the other.
 */
final class CrashWatch extends Watch<Set<Member>> {
    static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** Machines on one network answer within milliseconds. Shorter than any time after which the system itself gives up. */
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(200);

    /** Of those that go by themselves, or have been given up already. */
    private static final Set<MemberStatus> ENDING = Set.of(MemberStatus.exiting(), MemberStatus.down());

    private static final Logger LOG = LoggerFactory.getLogger(CrashWatch.class);

    /**
     * What it works with.
     *
     * @param resolver who goes on after a cut
     * @param closed whether nobody listens at an address; may block
     */
    record Settings(Resolver resolver, Predicate<Address> closed) {}

    private final Settings settings;

    static Behavior<Command<Set<Member>>> create(Settings settings) {
        if (settings.resolver() == Resolver.DOWN_ALL)
            return Behaviors.empty(); // All are to end, whatever happened to one.
        return every(LOOK_EVERY, context -> new CrashWatch(context, settings));
    }

    private CrashWatch(ActorContext<Command<Set<Member>>> context, Settings settings) {
        super(context);
        this.settings = settings;
    }

    @Override
    void look() {
        if (!isUp() || cluster.state().getUnreachable().isEmpty()) return;
        Map<Member, CompletableFuture<Boolean>> closed = Nodes.others(cluster).stream()
                .collect(Collectors.toMap(
                        Function.identity(),
                        node -> CompletableFuture.supplyAsync(
                                () -> settings.closed().test(node.address()), Thread::startVirtualThread)));
        ask(CompletableFuture.allOf(closed.values().toArray(CompletableFuture[]::new))
                .thenApply(all -> closed.entrySet().stream()
                        .filter(node -> node.getValue().join())
                        .map(Map.Entry::getKey)
                        .collect(Collectors.toSet())));
    }

    /** @param refusing those at whose port nobody listens */
    @Override
    void learned(Set<Member> refusing) {
        CurrentClusterState state = cluster.state();
        Set<Member> silent = state.getUnreachable();
        Set<Address> heard = new HashSet<>();
        Set<Address> left = new HashSet<>();
        for (Member member : state.getMembers()) {
            MemberStatus status = member.status();
            if (silent.contains(member) || refusing.contains(member) || status.equals(MemberStatus.down())) {
                left.add(member.address());
            } else if (status.equals(MemberStatus.up())) {
                heard.add(member.address());
            }
        }
        Optional<Address> oldest = Nodes.oldest(state).map(Member::address);
        if (!isUp() || !new Part(heard, left).goesOn(oldest, settings.resolver())) return;
        for (Member member : silent) {
            if (!refusing.contains(member) || ENDING.contains(member.status())) continue;
            LOG.warn(
                    "Node {} is silent, and no process listens at its port: it has ended, and is removed without waiting any"
                            + " longer.",
                    Nodes.hostAndPort(member.address()));
            cluster.manager().tell(new Down(member.address()));
        }
    }

    /** Whether the machine at that address is there and refuses connections to that port. */
    static boolean isClosed(Address node) {
        InetSocketAddress port = new InetSocketAddress(
                node.getHost().orElseThrow(), node.getPort().orElseThrow());
        try (Socket connection = new Socket()) {
            connection.connect(port, Math.toIntExact(ANSWER_WITHIN.toMillis()));
            return false;
        } catch (ConnectException refused) {
            return true;
        } catch (IOException unknown) {
            return false;
        }
    }
}
