package io.alphaomega.server.node;

import akka.actor.Address;
import akka.actor.typed.Behavior;
import akka.actor.typed.javadsl.ActorContext;
import akka.actor.typed.javadsl.Behaviors;
import akka.cluster.ClusterEvent.CurrentClusterState;
import akka.cluster.Member;
import akka.cluster.MemberStatus;
import akka.cluster.typed.Down;
import io.alphaomega.server.AlphaProperties.Cluster.Resolver;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The actor that has a silent node removed at once if its process is gone for certain: the machine is there and says that
 * nobody listens at the node's port. Nobody says so of a node that is paused or out of reach, of which the split brain
 * resolver must wait until everybody has seen the same.
 *
 * <p>Who goes on stays the resolver's to decide: nothing is done by nodes that it would end. So a firewall that refuses
 * connections, instead of dropping them, does no more than it would without this.
 */
final class CrashWatch extends Watch<Optional<Member>> {
    static final Duration LOOK_EVERY = Duration.ofMillis(250);

    /** Machines on one network answer within milliseconds. Shorter than any time after which the system itself gives up. */
    private static final Duration ANSWER_WITHIN = Duration.ofMillis(200);

    private static final Logger LOG = LoggerFactory.getLogger(CrashWatch.class);

    private final Resolver resolver;

    /** @param resolver who goes on after a cut */
    static Behavior<Command<Optional<Member>>> create(Resolver resolver) {
        if (resolver == Resolver.DOWN_ALL) return Behaviors.empty(); // All are to end, whatever happened to one.
        return every(LOOK_EVERY, LOOK_EVERY, context -> new CrashWatch(context, resolver));
    }

    private CrashWatch(ActorContext<Command<Optional<Member>>> context, Resolver resolver) {
        super(context);
        this.resolver = resolver;
    }

    @Override
    void look() {
        silent().forEach(member -> ask(CompletableFuture.supplyAsync(
                () -> Optional.of(member).filter(node -> isGone(node.address())), Thread::startVirtualThread)));
    }

    @Override
    void learned(Optional<Member> gone) {
        gone.filter(silent()::contains).ifPresent(member -> {
            LOG.warn(
                    "Node {} is silent, and nobody listens at its port: it has ended, and is removed without waiting any"
                            + " longer.",
                    Nodes.hostAndPort(member.address()));
            cluster.manager().tell(new Down(member.address()));
        });
    }

    /** Those that nobody hears, if this node is of the part that goes on without them. */
    private Set<Member> silent() {
        CurrentClusterState state = cluster.state();
        Set<Member> silent = state.getUnreachable();
        if (silent.isEmpty() || !isUp()) return Set.of();
        Set<Address> heard = up(StreamSupport.stream(state.getMembers().spliterator(), false)
                .filter(member -> !silent.contains(member)));
        Optional<Address> oldest = Nodes.oldest(state).map(Member::address);
        if (!new Part(heard, up(silent.stream())).goesOn(oldest, resolver)) return Set.of();
        return silent.stream()
                .filter(member -> !member.status().equals(MemberStatus.down()))
                .collect(Collectors.toSet());
    }

    private static Set<Address> up(Stream<Member> members) {
        return members.filter(member -> member.status().equals(MemberStatus.up()))
                .map(Member::address)
                .collect(Collectors.toSet());
    }

    private static boolean isGone(Address node) {
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
