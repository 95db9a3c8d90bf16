package io.alphaomega.omega.test;

import io.alphaomega.omega.SagaStart;

/** Where a trip begins: a room, then a car. */
class Trips {
    private final HotelDesk hotel;
    private final CarDesk car;

    Trips(HotelDesk hotel, CarDesk car) {
        this.hotel = hotel;
        this.car = car;
    }

    @SagaStart(timeout = "1m", businessKey = "'trip of ' + #guest")
    public void book(String guest) {
        hotel.book(guest);
        car.book(guest);
    }
}
