package io.alphaomega.samples.booking.hotel;

/** Hotels booked for a trip; {@code state} is BOOKED or CANCELLED. */
public record HotelBooking(String trip, String name, int rooms, String state) {}
