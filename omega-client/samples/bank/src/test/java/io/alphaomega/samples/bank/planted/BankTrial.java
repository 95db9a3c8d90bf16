package io.alphaomega.samples.bank.planted;

import static org.awaitility.Awaitility.await;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.repository.servers.MariaDbServer;
import io.alphaomega.repository.servers.ServerProcess;
import io.alphaomega.samples.bank.checker.Floor;
import io.alphaomega.samples.bank.checker.History;
import io.alphaomega.samples.bank.checker.History.Balance;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import io.alphaomega.samples.bank.checker.History.Listed;
import io.alphaomega.samples.bank.checker.Verdict;
import io.alphaomega.samples.bank.planted.PlantedBug.Trouble;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** A coordinator and the bank's three services under customers, and the verdict. */
final class BankTrial implements AutoCloseable {
    private static final int ENOUGH = 120;

    /** A compensation must be under way when one begins, and few are at any moment. */
    private static final int PAUSES = 3;

    private static final int BETWEEN = 40;
    private static final long OPENING = 1_000_000;

    /** Two attempts at a callback are over meanwhile, and the time of a branch and of a short saga. */
    private static final Duration PAUSE = Duration.ofSeconds(7);

    /** Whoever is not held up is told something sooner. */
    private static final Duration HELD_UP = Duration.ofSeconds(2);

    private static final Duration SHORT = Duration.ofSeconds(5);

    /** So long that whoever is told nothing until then cannot blame a fault any more. */
    private static final Duration LONG = Duration.ofSeconds(20);

    private static final Floor FLOOR = new Floor(20, 20, 0, 0, 0, 0, Map.of());

    private final Trouble trouble;
    private final HttpClient http = HttpClient.newHttpClient();
    private final Path planted;
    private final Coordinator coordinator;
    private final Map<String, DatabaseServer> databases = new LinkedHashMap<>();
    private final Map<String, ServerProcess> services = new LinkedHashMap<>();
    private final Map<String, URI> addresses = new LinkedHashMap<>();

    BankTrial(PlantedBug bug) {
        trouble = bug.trouble();
        planted = Coordinator.planted(bug);
        Processes processes = new Processes(http, planted);
        coordinator = new Coordinator(processes, http, 1);
        List.of("teller", "accounts-north", "accounts-south").parallelStream()
                .map(service -> Map.entry(service, MariaDbServer.start()))
                .toList()
                .forEach(each -> databases.put(each.getKey(), each.getValue()));
        service(processes, "accounts-north", "accounts.AccountsApplication", List.of("--town=north"));
        service(processes, "accounts-south", "accounts.AccountsApplication", List.of("--town=south"));
        service(
                processes,
                "teller",
                "teller.TellerApplication",
                List.of(
                        "--teller.accounts.north=" + addresses.get("accounts-north"),
                        "--teller.accounts.south=" + addresses.get("accounts-south")));
    }

    private void service(Processes processes, String name, String main, List<String> own) {
        int port = ServerProcess.freePort();
        List<String> arguments = new ArrayList<>(List.of(
                "--server.port=" + port,
                "--spring.datasource.url=" + database(name).url(),
                "--spring.datasource.username=" + DatabaseServer.USER,
                "--spring.datasource.password=" + DatabaseServer.PASSWORD,
                "--omega.alpha.addresses=" + coordinator.grpc.getFirst(),
                "--omega.saga.timeout=" + (trouble == Trouble.BANK_PAUSED ? SHORT : LONG).toSeconds() + "s",
                "--omega.alpha.reconnect-delay-max=500ms"));
        arguments.addAll(own);
        addresses.put(name, URI.create("http://127.0.0.1:" + port));
        services.put(
                name,
                processes.process(
                        name,
                        Processes.targetOf("bank.target"),
                        "bank.jar",
                        "io.alphaomega.samples.bank." + main,
                        port,
                        arguments));
    }

    Verdict run() {
        coordinator.start();
        services.values().parallelStream().forEach(ServerProcess::start);
        open("north", Customers.OPEN);
        open("south", Customers.OPEN);
        open("south", Customers.CLOSED);
        ask("south", Customers.CLOSED, "DELETE");
        try (Customers customers = new Customers(address("teller"), http)) {
            customers.start();
            answered(customers, ENOUGH);
            coordinator.strike(trouble);
            for (int i = 0; trouble == Trouble.BANK_PAUSED && i < PAUSES; i++) {
                pause(service("accounts-north"));
                answered(customers, customers.told().size() + BETWEEN);
            }
            if (trouble == Trouble.BANK_ANSWERS_LOST) loseAnswers(customers);
            answered(customers, customers.told().size() + ENOUGH);
            customers.stop();
            Coordinator.settle(coordinator.pages::areAllAtRest);
            return Verdict.of(history(customers), FLOOR);
        }
    }

    private static void answered(Customers customers, int count) {
        await("answers").until(() -> customers.told().size() >= count);
    }

    private void pause(ServerProcess service) {
        Instant from = coordinator.now();
        service.pause();
        await("attempts that nobody answers").pollDelay(PAUSE).until(() -> true);
        service.resume();
        coordinator.note("pause", from, Set.of());
    }

    /**
     * The south is paused until everybody waits for it: all of them have their money from the north, and every other one
     * is about to be refused. So the north is asked for compensations, and does them while nothing can be stored.
     */
    private void loseAnswers(Customers customers) {
        Instant from = coordinator.now();
        ServerProcess north = service("accounts-north");
        service("accounts-south").pause();
        awaitHeldUp(customers);
        north.pause();
        service("accounts-south").resume();
        await("compensations that are asked for")
                .until(() -> coordinator.pages.list().stream()
                        .anyMatch(saga -> saga.state().equals("COMPENSATING")));
        coordinator.cutPower(north::resume);
        coordinator.note("answers lost", from, Set.of());
    }

    private static void awaitHeldUp(Customers customers) {
        int before = -1;
        for (int now = customers.told().size();
                now != before;
                now = customers.told().size()) {
            before = now;
            await("customers who wait").pollDelay(HELD_UP).until(() -> true);
        }
    }

    private void open(String town, String account) {
        ask(town, account + "?balance=" + OPENING, "PUT");
    }

    private void ask(String town, String account, String method) {
        String path = "/accounts/" + town + account;
        URI address = URI.create(address("accounts-" + town).resolve(path).toASCIIString());
        try {
            HttpRequest request = HttpRequest.newBuilder(address)
                    .method(method, HttpRequest.BodyPublishers.noBody())
                    .build();
            int status =
                    http.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status != 200) throw new IllegalStateException("%s answered %d.".formatted(address, status));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while accounts were opened.", e);
        }
    }

    private History history(Customers customers) {
        List<Effect> effects = new ArrayList<>();
        List<FenceRow> fence = new ArrayList<>();
        List<Balance> balances = new ArrayList<>();
        for (String service : databases.keySet()) {
            read(service, "select saga, branch, kind, transfer, amount, seq from effect", row -> {
                Kind kind = Kind.valueOf(row.getString(3));
                effects.add(new Effect(
                        service,
                        row.getString(1),
                        row.getString(2),
                        kind,
                        row.getString(4),
                        row.getLong(5),
                        row.getLong(6)));
            });
            read(
                    service,
                    "select saga, branch, op, reason from omega_fence where op <> 'id'",
                    row -> fence.add(new FenceRow(
                            service, row.getString(1), row.getString(2), row.getString(3), row.getString(4))));
            if (service.equals("teller")) continue;
            read(
                    service,
                    "select sum(opened_with), sum(balance) from account",
                    row -> balances.add(new Balance(service, row.getLong(1), row.getLong(2))));
        }
        List<Listed> list = coordinator.pages.list();
        return new History(
                customers.told(),
                effects,
                balances,
                fence,
                coordinator.pages.sagas(list),
                coordinator.pages.list(),
                List.of(),
                List.of(),
                coordinator.faults(),
                coordinator.terms());
    }

    private interface Reading {
        void read(ResultSet row) throws SQLException;
    }

    private void read(String service, String sql, Reading reading) {
        try (Connection connection = DriverManager.getConnection(
                        database(service).url(), DatabaseServer.USER, DatabaseServer.PASSWORD);
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) reading.read(rows);
        } catch (SQLException e) {
            throw new IllegalStateException("The database of %s cannot be read with: %s".formatted(service, sql), e);
        }
    }

    private DatabaseServer database(String service) {
        return Objects.requireNonNull(databases.get(service));
    }

    private ServerProcess service(String name) {
        return Objects.requireNonNull(services.get(name));
    }

    private URI address(String name) {
        return Objects.requireNonNull(addresses.get(name));
    }

    @Override
    public void close() {
        services.values().forEach(ServerProcess::close);
        databases.values().forEach(DatabaseServer::close);
        coordinator.close();
        ServerProcess.delete(planted);
        http.close();
    }
}
