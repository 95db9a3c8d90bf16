package io.alphaomega.samples.booking.booking;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import java.util.List;
import java.util.Optional;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Booking's own table of trips: a branch of the saga like those in the other services. */
@Service
public class TripLedger {
    private final JdbcClient database;
    private final Omega omega;

    TripLedger(JdbcClient database, Omega omega) {
        this.omega = omega;
        this.database = database;
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    public void enter(String trip, TripOrder order) {
        database.sql("insert into trip (id, saga, name, cars, rooms, state) values (?, ?, ?, ?, ?, 'BOOKED')")
                .params(trip, omega.sagaId().orElseThrow(), order.name(), order.cars(), order.rooms())
                .update();
    }

    /** Undoes {@link #enter}: the trip stays in the table, for the customer to see, but it is off. */
    @Transactional
    public void cancel(String trip, TripOrder order) {
        database.sql("update trip set state = 'CANCELLED' where id = ?")
                .param(trip)
                .update();
    }

    public Optional<Trip> trip(String id) {
        return database.sql("select id, saga, name, cars, rooms, state from trip where id = ?")
                .param(id)
                .query(DataClassRowMapper.newInstance(Trip.class))
                .optional();
    }

    /** The newest trips, newest first. */
    public List<Trip> trips() {
        return database.sql("select id, saga, name, cars, rooms, state from trip order by rowid desc limit 100")
                .query(DataClassRowMapper.newInstance(Trip.class))
                .list();
    }
}
