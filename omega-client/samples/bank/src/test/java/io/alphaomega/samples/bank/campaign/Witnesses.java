package io.alphaomega.samples.bank.campaign;

import io.alphaomega.repository.servers.DatabaseServer;
import io.alphaomega.samples.bank.checker.History.Balance;
import io.alphaomega.samples.bank.checker.History.Effect;
import io.alphaomega.samples.bank.checker.History.FenceRow;
import io.alphaomega.samples.bank.checker.History.Kind;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** What the services' databases say, read without any of their code. */
final class Witnesses {
    private final Map<String, DatabaseServer> databases;

    Witnesses(Map<String, DatabaseServer> databases) {
        this.databases = databases;
    }

    /** How a row becomes a record. */
    private interface Reading<T> {
        T of(String service, ResultSet row) throws SQLException;
    }

    List<Effect> effects() {
        return read(
                "select saga, branch, kind, transfer, amount, seq from effect order by seq",
                databases,
                (service, row) -> new Effect(
                        service,
                        row.getString("saga"),
                        row.getString("branch"),
                        Kind.valueOf(row.getString("kind")),
                        row.getString("transfer"),
                        row.getLong("amount"),
                        row.getLong("seq")));
    }

    List<FenceRow> fence() {
        return read(
                "select saga, branch, op, reason from omega_fence where op <> 'id'",
                databases,
                (service, row) -> new FenceRow(
                        service,
                        row.getString("saga"),
                        row.getString("branch"),
                        row.getString("op"),
                        row.getString("reason")));
    }

    List<Balance> balances() {
        Map<String, DatabaseServer> keepers = new java.util.LinkedHashMap<>(databases);
        keepers.remove("teller");
        return read(
                "select sum(opened_with), sum(balance) from account",
                keepers,
                (service, row) -> new Balance(service, row.getLong(1), row.getLong(2)));
    }

    private static <T> List<T> read(String query, Map<String, DatabaseServer> databases, Reading<T> reading) {
        List<T> all = new ArrayList<>();
        databases.forEach((service, database) -> {
            try (Connection connection = DriverManager.getConnection(
                            Stage.url(database), DatabaseServer.USER, DatabaseServer.PASSWORD);
                    Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(query)) {
                while (rows.next()) all.add(reading.of(service, rows));
            } catch (SQLException e) {
                throw new IllegalStateException("The database of %s does not say: %s".formatted(service, query), e);
            }
        });
        return all;
    }
}
