package io.alphaomega.samples.bank.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Network;
import io.alphaomega.repository.servers.Network.Link;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.bank.campaign.hooks.Order;
import io.alphaomega.samples.bank.checker.History.Fault;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.core.ConditionTimeoutException;

/** Strikes blows at a stage, makes sure that each has struck, and mends what it broke. */
final class Nemesis {
    private static final int KILLED = 137;

    /** As what a blow is counted that was not seen to strike. */
    static final String UNPROVEN = "unproven";

    /** Under load every method of the bank runs within that time. */
    private static final Duration ORDER_TAKEN = Duration.ofSeconds(30);

    /** Once it is taken; but for a method that was refused, or a transaction that was rolled back. */
    private static final Duration ORDER_OBEYED = Duration.ofSeconds(10);

    private static final int ORDERS_MAX = 4;

    /** In which a slow store does nothing, and something. */
    private static final Duration SLOW_STOP = Duration.ofMillis(80);

    private static final Duration SLOW_GO = Duration.ofMillis(30);

    private final Stage stage;
    private final Clock clock = Clock.systemUTC();
    private final List<Fault> faults = new ArrayList<>();
    private final List<String> findings = new ArrayList<>();

    Nemesis(Stage stage) {
        this.stage = stage;
    }

    List<Fault> faults() {
        return List.copyOf(faults);
    }

    /** What was wrong in itself, whatever became of sagas. */
    List<String> findings() {
        return List.copyOf(findings);
    }

    /** Returns when everything serves again; what was seen of it. */
    String strike(Blow blow) {
        Instant from = clock.instant();
        String label = blow.label();
        String seen;
        try {
            seen = inflict(blow);
        } catch (NoEvidence none) {
            label = UNPROVEN;
            seen = "NO EVIDENCE, it does not count: " + none.getMessage();
            stage.launch();
        }
        try {
            switch (blow.kind()) {
                case PAUSE, PARTITION -> stage.awaitWhole();
                case KILL, ROLLING_RESTART, STORE_KILL, STORE_PAUSE, STORE_SLOW, SERVICE_KILL, SERVICE_PAUSE ->
                    stage.awaitReady();
            }
        } finally {
            faults.add(new Fault(label, blow.toString(), from, clock.instant(), Set.of()));
        }
        return seen;
    }

    private String inflict(Blow blow) {
        return switch (blow.kind()) {
            case KILL -> kill(stage.alphas.get(blow.node() - 1), blow.lasting());
            case PAUSE -> pause(stage.alphas.get(blow.node() - 1), blow.lasting());
            case PARTITION -> partition(blow);
            case ROLLING_RESTART -> restart();
            case STORE_KILL -> killStore(blow.lasting());
            case STORE_PAUSE -> pauseStore(blow.lasting());
            case STORE_SLOW -> slowStore(blow.lasting());
            case SERVICE_KILL -> killService(blow);
            case SERVICE_PAUSE -> pauseService(blow);
        };
    }

    static void hold(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        for (long left = time.toNanos(); left > 0; left = end - System.nanoTime()) LockSupport.parkNanos(left);
    }

    private static void require(boolean seen, String otherwise) {
        if (!seen) throw new NoEvidence(otherwise);
    }

    /** A node may just be ending by itself, because the others gave it up: then it is struck when it is back. */
    private static String kill(Node node, Duration away) {
        node.awaitReady();
        int code = node.kill();
        require(code == KILLED, "%s ended with code %d, expected that of a kill.".formatted(node.name, code));
        hold(away);
        require(!node.isAlive(), node.name + " lives although it was killed.");
        node.launch();
        return "it ended with code " + code;
    }

    private static String pause(Node node, Duration lasting) {
        do {
            node.awaitReady();
            node.pause();
        } while (!node.isPaused()); // As above.
        try {
            require(!node.serves(), node.name + " serves although it is stopped.");
            hold(lasting);
            require(node.isPaused(), node.name + " was stopped and runs.");
        } finally {
            node.resume();
        }
        return "it was in state T and answered nothing";
    }

    private String partition(Blow blow) {
        Set<Link> links = blow.shape().links(blow.node());
        stage.network.cut(links);
        long dropped;
        try {
            // From the network of a node: this machine's own has the customers, too.
            Link link = links.stream()
                    .filter(each -> each.from() != Network.HOST)
                    .findFirst()
                    .orElseThrow();
            int port = link.to() == Network.HOST ? stage.store.port() : AlphaCommand.CLUSTER;
            require(!stage.network.reaches(link.from(), link.to(), port), "%s is cut and connects.".formatted(link));
            hold(blow.lasting());
            dropped = stage.network.dropped();
        } finally {
            stage.network.heal();
        }
        require(dropped > 0, "%s lost no packet.".formatted(blow));
        return "%d packets were lost, and a connection could not be made".formatted(dropped);
    }

    private String restart() {
        List<String> took = new ArrayList<>();
        for (Node node : stage.alphas) {
            Instant asked = clock.instant();
            int code = node.stop();
            Duration stopped = Duration.between(asked, clock.instant());
            if (code != 0) findings.add("%s ended with code %d on SIGTERM, expected 0.".formatted(node.name, code));
            took.add(stopped.toMillis() + " ms");
            node.launch();
            node.awaitReady();
        }
        return "they ended within " + took;
    }

    private String killStore(Duration away) {
        ServerProcess store = stage.store.process();
        store.kill();
        require(!connects(stage.store.port()), "The store takes connections although it was killed.");
        hold(away);
        store.start();
        return "it refused connections";
    }

    private String pauseStore(Duration lasting) {
        ServerProcess store = stage.store.process();
        store.pause();
        hold(lasting);
        store.resume();
        return "each of its threads was in state T";
    }

    private String slowStore(Duration lasting) {
        ServerProcess store = stage.store.process();
        long end = System.nanoTime() + lasting.toNanos();
        int stops = 0;
        while (System.nanoTime() < end) {
            store.pause();
            hold(SLOW_STOP);
            store.resume();
            hold(SLOW_GO);
            stops++;
        }
        return "it was in state T %d times".formatted(stops);
    }

    private String killService(Blow blow) {
        Node service = service(blow);
        if (blow.dice() % 3 == 0) return kill(service, blow.lasting());
        int before = service.ownExits().size();
        Order order = order(service, blow, "halt");
        obey(service, order, () -> service.ownExits().size() > before);
        int code = service.ownExits().get(before);
        require(code == KILLED, "%s ended with code %d, expected that of a kill.".formatted(service.name, code));
        return "%s ended with code %d %s".formatted(service.name, code, order);
    }

    private String pauseService(Blow blow) {
        Node service = service(blow);
        Order order = order(service, blow, "stop");
        try {
            obey(service, order, service::isPaused);
            hold(blow.lasting());
            require(service.isPaused(), service.name + " was stopped and runs.");
        } finally {
            service.resume();
        }
        return "%s was in state T %s".formatted(service.name, order);
    }

    private Node service(Blow blow) {
        return stage.services.get(blow.dice() % stage.services.size());
    }

    private Order order(Node service, Blow blow, String act) {
        List<String> methods =
                service == stage.teller ? List.of("enter", "strike") : List.of("withdraw", "giveBack", "deposit");
        List<String> points = List.of("before", "after", "committed");
        return new Order(
                methods.get(blow.dice() / 7 % methods.size()), points.get(blow.dice() / 31 % points.size()), act);
    }

    /** Gives the order until it is seen to be obeyed. */
    private void obey(Node service, Order order, Callable<Boolean> isObeyed) {
        try {
            for (int i = 0; i < ORDERS_MAX; i++) {
                stage.order(service, order);
                if (within(ORDER_TAKEN, () -> stage.isOrderTaken(service) || isObeyed.call())
                        && within(ORDER_OBEYED, isObeyed)) return;
            }
        } finally {
            stage.revokeOrder(service);
        }
        throw new NoEvidence(
                "%s did not obey %s, which it was given %d times.".formatted(service.name, order, ORDERS_MAX));
    }

    private static boolean within(Duration time, Callable<Boolean> condition) {
        try {
            await().atMost(time).until(condition);
            return true;
        } catch (ConditionTimeoutException never) {
            return false;
        }
    }

    private static boolean connects(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (java.io.IOException refused) {
            return false;
        }
    }
}
