package io.alphaomega.samples.booking.booking;

import org.jspecify.annotations.Nullable;

/** A trip that somebody wants. */
record TripOrder(String name, int cars, int rooms) {
    TripOrder(@Nullable String name, int cars, int rooms) {
        if (name == null || name.isBlank()) throw new IllegalArgumentException("A trip needs a name.");
        if (cars < 1) throw new IllegalArgumentException("A trip needs at least 1 car, not " + cars + ".");
        if (rooms < 1) throw new IllegalArgumentException("A trip needs at least 1 room, not " + rooms + ".");
        this.name = name;
        this.cars = cars;
        this.rooms = rooms;
    }
}
