package io.alphaomega.samples.booking.hotel;

/** Rooms that somebody wants on a trip. */
public record HotelOrder(String trip, String name, int rooms) {
    public HotelOrder {
        if (rooms < 1)
            throw new IllegalArgumentException("A hotel order is for at least 1 room, not for " + rooms + ".");
    }
}
