package io.alphaomega.samples.booking.car;

/** Cars booked for a trip; {@code state} is BOOKED or CANCELLED. */
public record CarBooking(String trip, String name, int cars, String state) {}
