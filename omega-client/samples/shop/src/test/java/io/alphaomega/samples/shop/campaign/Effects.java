package io.alphaomega.samples.shop.campaign;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the services' databases have seen, written down by the databases themselves: a trigger adds each state that a row of
 * the business takes to a table, in the transaction that takes it. So what is rolled back leaves nothing, and what is done
 * twice leaves two rows.
 */
final class Effects {
    private static final String ROOT = "root";
    private static final String RESERVED = "if(new.article = 'gift-box', 'box', 'reservation')";

    /** More than the campaign can sell, but of pianos. */
    private static final int DELIVERED = 10_000_000;

    private static final List<Target> DATABASES =
            List.of(Target.SHOP_DATA, Target.STOCK_DATA, Target.PAYMENT_DATA, Target.SHIPPING_DATA);

    /** By what it is about, such as a payment; each with the states that it took, in their order. */
    record Histories(Map<String, Map<String, List<String>>> byOrder) {
        List<String> of(String order, String what) {
            return byOrder.getOrDefault(order, Map.of()).getOrDefault(what, List.of());
        }
    }

    private final Stage stage;

    Effects(Stage stage) {
        this.stage = stage;
    }

    /** After the services have made their tables, and before anybody orders. */
    void watch() {
        watch(Target.SHOP_DATA, "entry", "'entry'");
        watch(Target.STOCK_DATA, "reservation", RESERVED);
        execute(
                Target.STOCK_DATA,
                "update article set delivered = %1$d, shelf = %1$d where name <> 'piano'".formatted(DELIVERED));
        watch(Target.PAYMENT_DATA, "payment", "'payment'");
        watch(Target.SHIPPING_DATA, "parcel", "'parcel'");
        watch(Target.SHIPPING_DATA, "card", "'card'");
    }

    private void watch(Target target, String table, String what) {
        execute(
                target,
                "create table if not exists effect (number bigint auto_increment primary key, at timestamp(6) default current_timestamp(6), "
                        + "what varchar(20) not null, order_id varchar(40) not null, state varchar(10) not null)");
        // Before the update: also if it changes nothing.
        for (String when : List.of("after insert", "before update")) {
            execute(
                    target,
                    "create trigger %1$s_%2$s %3$s on %1$s for each row insert into effect (what, order_id, state) values (%4$s, new.order_id, new.state)"
                            .formatted(table, when.substring(when.length() - 6), when, what));
        }
    }

    private void execute(Target target, String sql) {
        try (Connection connection = connect(target);
                Statement statement = connection.createStatement()) {
            boolean unused = statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException("%s does not execute: %s".formatted(target, sql), e);
        }
    }

    Histories read() {
        Map<String, Map<String, List<String>>> all = new HashMap<>();
        for (Target target : DATABASES) {
            try (Connection connection = connect(target);
                    Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("select what, order_id, state from effect order by number")) {
                while (rows.next()) {
                    all.computeIfAbsent(rows.getString(2), order -> new HashMap<>())
                            .computeIfAbsent(rows.getString(1), what -> new ArrayList<>())
                            .add(rows.getString(3));
                }
            } catch (SQLException e) {
                throw new IllegalStateException(target + " does not say what it has seen.", e);
            }
        }
        return new Histories(all);
    }

    /** Triggers are not for the services' user. */
    private Connection connect(Target target) throws SQLException {
        return DriverManager.getConnection(stage.database(target).url(), ROOT, "");
    }
}
