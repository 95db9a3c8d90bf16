package io.alphaomega.samples.booking.hotel;

import io.alphaomega.omega.Compensable;
import io.alphaomega.samples.booking.RefusedException;
import java.util.List;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Books rooms, and frees them when the trip is called off. */
@Service
public class HotelDesk {
    private final JdbcClient database;

    HotelDesk(JdbcClient database, @Value("${hotel.rooms}") int rooms) {
        this.database = database;
        database.sql("insert into house (id, free) values (1, ?) on conflict do nothing")
                .param(rooms)
                .update();
    }

    @Transactional
    @Compensable(compensationMethod = "cancel")
    public void book(HotelOrder order) {
        int found = database.sql("update house set free = free - :rooms where free >= :rooms")
                .param("rooms", order.rooms())
                .update();
        if (found == 0) {
            int free =
                    database.sql("select free from house").query(Integer.class).single();
            throw new RefusedException(
                    "The hotel has %d rooms left, %s asked for %d.".formatted(free, order.name(), order.rooms()));
        }
        database.sql("insert into booking (trip, name, rooms, state) values (?, ?, ?, 'BOOKED')")
                .params(order.trip(), order.name(), order.rooms())
                .update();
    }

    /** Undoes {@link #book}; alpha calls it when the trip is called off after the hotel was booked. */
    @Transactional
    public void cancel(HotelOrder order) {
        database.sql("update booking set state = 'CANCELLED' where trip = ?")
                .param(order.trip())
                .update();
        database.sql("update house set free = free + ?").param(order.rooms()).update();
    }

    /** The newest bookings, newest first. */
    public List<HotelBooking> bookings() {
        return database.sql("select trip, name, rooms, state from booking order by rowid desc limit 100")
                .query(DataClassRowMapper.newInstance(HotelBooking.class))
                .list();
    }
}
