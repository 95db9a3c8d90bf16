package io.alphaomega.samples.booking.car;

import io.alphaomega.omega.Compensable;
import io.alphaomega.samples.booking.RefusedException;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Books cars, and takes them back when the trip is called off. */
@Service
public class CarDesk {
    private final JdbcClient database;
    private final int carsPerTrip;

    CarDesk(JdbcClient database, @Value("${car.per-trip}") int carsPerTrip, @Value("${car.fleet}") int fleet) {
        this.database = database;
        this.carsPerTrip = carsPerTrip;
        database.sql("insert into fleet (id, free) values (1, ?) on conflict do nothing")
                .param(fleet)
                .update();
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    public void book(CarOrder order) {
        if (order.cars() > carsPerTrip) {
            throw new RefusedException("%s asked for %d cars, but a trip may have at most %d."
                    .formatted(order.name(), order.cars(), carsPerTrip));
        }
        int found = database.sql("update fleet set free = free - :cars where free >= :cars")
                .param("cars", order.cars())
                .update();
        if (found == 0) {
            throw new RefusedException(
                    "%s asked for %d cars, but fewer are left.".formatted(order.name(), order.cars()));
        }
        database.sql("insert into booking (trip, name, cars, state) values (?, ?, ?, 'BOOKED')")
                .params(order.trip(), order.name(), order.cars())
                .update();
    }

    /**
     * Undoes {@link #book}. Alpha calls it, as often as it takes, with what book was called with. It need not ask
     * whether book was ever committed or whether it has run before: if so, omega does not call it.
     */
    @Transactional
    public void cancel(CarOrder order) {
        database.sql("update booking set state = 'CANCELLED' where trip = ?")
                .param(order.trip())
                .update();
        database.sql("update fleet set free = free + ?").param(order.cars()).update();
    }

    /** The newest bookings, newest first. */
    public List<CarBooking> bookings() {
        return database.sql("select trip, name, cars, state from booking order by rowid desc limit 100")
                .query(DataClassRowMapper.newInstance(CarBooking.class))
                .list();
    }
}
