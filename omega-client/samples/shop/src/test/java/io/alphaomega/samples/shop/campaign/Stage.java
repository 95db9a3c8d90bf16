package io.alphaomega.samples.shop.campaign;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.AlphaCommand;
import io.alphaomega.repository.servers.Command;
import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.Network;
import io.alphaomega.repository.servers.RedisServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.shop.demo.Demo;
import io.alphaomega.samples.shop.demo.Web;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The shop, its databases, its broker, and three alphas on one store, each a process, and each alpha in a network of its
 * own; what they print stays in a directory of each.
 */
final class Stage implements AutoCloseable {
    private static final List<Target> SERVICES = List.of(Target.STOCK, Target.PAYMENT, Target.SHIPPING, Target.SHOP);
    private static final String LOCAL = "http://127.0.0.1:";

    /** Who has stood still looks around several times meanwhile, and sees that the others have gone on. */
    private static final Duration SETTLED = Duration.ofSeconds(1);

    private static final Duration SETTLES = Duration.ofMinutes(8);

    /** Of a saga and its branches where a bug is planted: they are still open when what was killed serves again. */
    private static final String TIMEOUT_WITH_BUG = "5m";

    /** How often an alpha is started, if it ends each time. */
    private static final int ALPHA_STARTS = 3;

    final Network network = new Network(Target.ALPHAS.size());
    final Web web = new Web();
    final Demo.Addresses at;
    private final Path directory;
    private final @Nullable PlantedBug bug;
    private final Map<Target, ServerProcess> processes = new EnumMap<>(Target.class);
    private final Map<Target, Integer> ports = new EnumMap<>(Target.class);
    private final Map<Target, DatabaseServer> databases = new EnumMap<>(Target.class);

    /** @param bug of one of the services, if one is to have one */
    Stage(String name, @Nullable PlantedBug bug) {
        this.bug = bug;
        directory = Jvm.directory("shop.target").resolve("campaign").resolve(name);
        ServerProcess.delete(directory);
        for (Target service : SERVICES) ports.put(service, ServerProcess.freePort());
        at = new Demo.Addresses(
                address(Target.ALPHA_1),
                address(Target.SHOP),
                address(Target.STOCK),
                address(Target.PAYMENT),
                address(Target.SHIPPING),
                directory.resolve("mails"));
    }

    /** Everything, serving. */
    Stage start() {
        for (Target target : List.of(Target.SHOP_DATA, Target.STOCK_DATA, Target.PAYMENT_DATA, Target.SHIPPING_DATA)) {
            DatabaseServer database = MariaDbServer.start(directory(target));
            databases.put(target, database);
            processes.put(target, database.process());
        }
        Broker broker = Broker.start(directory(Target.KAFKA));
        ports.put(Target.KAFKA, broker.port());
        processes.put(Target.KAFKA, broker.process());
        String host = network.address(Network.HOST);
        // With everysec, Redis answers before it writes while the disk is slow: a kill then loses what was
        // acknowledged.
        RedisServer store = RedisServer.start(
                directory(Target.ALPHA_DATA), "appendfsync always", "bind 127.0.0.1 " + host, "protected-mode no");
        processes.put(Target.ALPHA_DATA, store.process());
        for (Target alpha : Target.ALPHAS) start(alpha, alpha(alpha, "redis://%s:%d".formatted(host, store.port())));
        for (Target service : SERVICES) start(service, service(service));
        awaitServing();
        return this;
    }

    private void start(Target target, Command command) {
        processes.put(target, new ServerProcess(directory(target), command, () -> serves(target)).start());
    }

    private Command alpha(Target target, String store) {
        Command command = Command.of(network.on(target.number()).toArray())
                .with(AlphaCommand.built().words().toArray())
                .with(AlphaCommand.member(network, target.number()).toArray())
                .with("--alpha.repository.type=redis", "--alpha.repository.redis.uri=" + store);
        return bug == null ? command : command.with("--alpha.saga.branch-timeout=" + TIMEOUT_WITH_BUG);
    }

    private Command service(Target service) {
        boolean hasBug = bug != null && bug.target == service;
        // The hooks are among the tests' classes.
        String classPath =
                hasBug ? Jvm.SHOP + ":" + Jvm.directory("shop.target").resolve("test-classes") : Jvm.SHOP;
        Command command = Jvm.command(128, classPath)
                .with(
                        "io.alphaomega.samples.shop.%1$s.%2$s%3$sApplication"
                                .formatted(
                                        service,
                                        service.toString().substring(0, 1).toUpperCase(Locale.ROOT),
                                        service.toString().substring(1)),
                        "--server.port=" + ports.get(service),
                        "--omega.alpha.addresses=" + network.addresses(AlphaCommand.GRPC),
                        "--spring.kafka.bootstrap-servers=127.0.0.1:" + ports.get(Target.KAFKA),
                        "--sample.data=" + directory);
        String url = database(service.data()).url();
        // What the one of JDBC is called, and the one of R2DBC.
        String database = "--spring.datasource.";
        if (service == Target.SHOP) {
            command = command.with(
                    "--shop.stock=" + at.stock(), "--shop.payment=" + at.payment(), "--shop.shipping=" + at.shipping());
            if (bug != null) command = command.with("--omega.saga.timeout=" + TIMEOUT_WITH_BUG);
            url = url.replaceFirst("^jdbc:", "r2dbc:");
            database = "--spring.r2dbc.";
        }
        command = command.with(
                database + "url=" + url,
                database + "username=" + DatabaseServer.USER,
                database + "password=" + DatabaseServer.PASSWORD);
        return hasBug ? command.with(Objects.requireNonNull(bug).argument) : command;
    }

    /** Starts what has ended; an alpha that ends at once, since the others have given it up just then, once more. */
    void restart(Target target) {
        for (int left = Target.ALPHAS.contains(target) ? ALPHA_STARTS : 1; ; left--) {
            try {
                process(target).start();
                return;
            } catch (IllegalStateException ended) {
                if (left == 1) throw ended;
            }
        }
    }

    /**
     * When each service serves, and each alpha sees all of them; a broker and a database do as soon as they have started. An
     * alpha that the others have given up ends, and is started again, as whoever runs it would.
     */
    void awaitServing() {
        await("three alphas serve and see each other")
                .atMost(SETTLES)
                .during(SETTLED)
                .until(() -> {
                    for (Target alpha : Target.ALPHAS) {
                        if (!process(alpha).isRunning()) restart(alpha);
                    }
                    return Target.ALPHAS.stream().allMatch(this::seesAll);
                });
        for (Target target : SERVICES) await(target + " serves").until(() -> serves(target));
    }

    private boolean seesAll(Target alpha) {
        try {
            return StreamSupport.stream(
                                    web.get(address(alpha).resolve("/api/v1/nodes"))
                                            .path("nodes")
                                            .spliterator(),
                                    false)
                            .filter(node -> node.path("status").asString("").equals("UP")
                                    && node.path("reachable").asBoolean(false)
                                    && node.hasNonNull("report"))
                            .count()
                    == Target.ALPHAS.size();
        } catch (IllegalStateException away) {
            return false;
        }
    }

    private boolean serves(Target target) {
        try {
            URI readiness = address(target).resolve("/actuator/health/readiness");
            return web.get(readiness).path("status").asString("").equals("UP");
        } catch (IllegalStateException away) {
            return false;
        }
    }

    private URI address(Target target) {
        return URI.create(
                Target.ALPHAS.contains(target)
                        ? "http://%s:%d".formatted(network.address(target.number()), AlphaCommand.HTTP)
                        : LOCAL + ports.get(target));
    }

    private Path directory(Target target) {
        try {
            return Files.createDirectories(directory.resolve(target.toString()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    ServerProcess process(Target target) {
        return Objects.requireNonNull(processes.get(target), target + " was not started");
    }

    DatabaseServer database(Target target) {
        return Objects.requireNonNull(databases.get(target), target + " is no database that was started");
    }

    /** About how many orders there are mails. */
    long mails() {
        try (Stream<Path> files = Files.list(at.mails())) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Those that have ended although nobody told them to. */
    List<String> gone() {
        List<String> gone = new ArrayList<>();
        processes.forEach((target, process) -> {
            if (!process.isRunning())
                gone.add("%s has ended by itself; its log is %s.".formatted(target, process.log()));
        });
        return gone;
    }

    /** Kills what runs, and leaves its logs. */
    @Override
    public void close() {
        processes.values().forEach(ServerProcess::kill);
        network.close();
    }
}
