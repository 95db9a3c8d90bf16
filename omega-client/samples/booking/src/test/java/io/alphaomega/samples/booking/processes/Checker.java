package io.alphaomega.samples.booking.processes;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Says of every saga whether all of its branches are done or none. It knows nothing of omega: it reads the three
 * services' database files, and alpha's states over HTTP.
 */
final class Checker {
    private static final String BOOKED = "BOOKED";

    private final Stage stage;

    Checker(Stage stage) {
        this.stage = stage;
    }

    /**
     * What the databases and alpha said.
     *
     * @param torn one sentence for each saga, trip or stock that is not whole
     */
    record Verdict(int sagas, int committed, int compensated, int trips, List<String> torn) {
        @Override
        public String toString() {
            return "%d sagas: %d committed, %d compensated; %d trips, torn %d%s"
                    .formatted(sagas, committed, compensated, trips, torn.size(), torn.isEmpty() ? "" : " " + torn);
        }
    }

    /** One service's row about a trip. */
    private record Row(String state, int count) {
        boolean isBooked() {
            return state.equals(BOOKED);
        }
    }

    private record Trip(String saga, Row row, int cars, int rooms) {}

    /** To be called when every saga is over and nobody books. */
    Verdict check() {
        Map<String, String> states = stage.api.states();
        Map<String, Trip> trips = trips();
        Map<String, Row> cars = bookings("car", "cars");
        Map<String, Row> rooms = bookings("hotel", "rooms");
        List<String> torn = new ArrayList<>();
        trips.forEach((id, trip) -> {
            String state = states.getOrDefault(trip.saga(), "unknown to alpha");
            checkTrip(id, trip, state, cars.get(id), rooms.get(id), torn);
        });
        strangers(cars, trips, "car", torn);
        strangers(rooms, trips, "hotel", torn);
        checkStock("car", "fleet", Stage.FLEET, cars, torn);
        checkStock("hotel", "house", Stage.ROOMS, rooms, torn);
        return new Verdict(
                states.size(),
                count(states, "COMMITTED"),
                count(states, "COMPENSATED"),
                trips.size(),
                List.copyOf(torn));
    }

    /** Promises that the histories do not keep. */
    List<Recorder.Promise> missing(Collection<Recorder.Promise> promises) {
        Map<String, Set<String>> histories = new HashMap<>();
        return promises.stream()
                .filter(promise -> !histories
                        .computeIfAbsent(promise.saga(), saga -> new HashSet<>(stage.api.history(saga)))
                        .contains(promise.event()))
                .toList();
    }

    private static void checkTrip(
            String id, Trip trip, String state, @Nullable Row car, @Nullable Row hotel, List<String> torn) {
        String found = "trip %s is %s, %s, %s".formatted(id, trip.row(), car, hotel);
        switch (state) {
            case "COMMITTED" -> {
                boolean whole = trip.row().isBooked()
                        && new Row(BOOKED, trip.cars()).equals(car)
                        && new Row(BOOKED, trip.rooms()).equals(hotel);
                if (!whole) torn.add("Saga %s is committed, but %s.".formatted(trip.saga(), found));
            }
            case "COMPENSATED" -> {
                boolean undone = !trip.row().isBooked()
                        && (car == null || !car.isBooked())
                        && (hotel == null || !hotel.isBooked());
                if (!undone) torn.add("Saga %s is compensated, but %s.".formatted(trip.saga(), found));
            }
            default -> torn.add("Saga %s is %s, expected an end; %s.".formatted(trip.saga(), state, found));
        }
    }

    private static void strangers(Map<String, Row> rows, Map<String, Trip> trips, String service, List<String> torn) {
        for (String trip : rows.keySet()) {
            if (!trips.containsKey(trip))
                torn.add("The %s has trip %s, which booking does not know.".formatted(service, trip));
        }
    }

    /** A compensation that ran twice, or not at all, shows here. */
    private void checkStock(String service, String table, int total, Map<String, Row> rows, List<String> torn) {
        int free =
                read(service, "select free from " + table, row -> row.getInt(1)).get(0);
        int booked = rows.values().stream()
                .filter(Row::isBooked)
                .mapToInt(Row::count)
                .sum();
        if (free != total - booked) {
            torn.add("The %s has %d free, expected %d - %d.".formatted(service, free, total, booked));
        }
    }

    private static int count(Map<String, String> states, String state) {
        return (int) states.values().stream().filter(state::equals).count();
    }

    private Map<String, Trip> trips() {
        Map<String, Trip> trips = new LinkedHashMap<>();
        read("booking", "select id, saga, state, cars, rooms from trip", row -> {
            int cars = row.getInt(4);
            return trips.put(
                    row.getString(1), new Trip(row.getString(2), new Row(row.getString(3), cars), cars, row.getInt(5)));
        });
        return trips;
    }

    private Map<String, Row> bookings(String service, String what) {
        Map<String, Row> bookings = new HashMap<>();
        read(
                service,
                "select trip, state, " + what + " from booking",
                row -> bookings.put(row.getString(1), new Row(row.getString(2), row.getInt(3))));
        return bookings;
    }

    private interface Reading<T extends @Nullable Object> {
        T read(ResultSet row) throws SQLException;
    }

    private <T extends @Nullable Object> List<T> read(String service, String sql, Reading<T> reading) {
        Path file = stage.database(service);
        try (Connection database = DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10000");
                Statement statement = database.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            List<T> read = new ArrayList<>();
            while (rows.next()) read.add(reading.read(rows));
            return read;
        } catch (SQLException e) {
            throw new IllegalStateException(file + " cannot be read with: " + sql, e);
        }
    }
}
