package io.alphaomega.samples.booking.car;

/** Cars that somebody wants for a trip. */
public record CarOrder(String trip, String name, int cars) {
    public CarOrder {
        if (cars < 1) throw new IllegalArgumentException("A car order is for at least 1 car, not for " + cars + ".");
    }
}
