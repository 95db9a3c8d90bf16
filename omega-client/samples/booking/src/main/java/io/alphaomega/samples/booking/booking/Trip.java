package io.alphaomega.samples.booking.booking;

/** A trip and the saga that booked it; {@code state} is BOOKED or CANCELLED. */
record Trip(String id, String saga, String name, int cars, int rooms, String state) {}
