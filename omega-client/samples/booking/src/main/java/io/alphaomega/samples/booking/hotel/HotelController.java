package io.alphaomega.samples.booking.hotel;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** The hotel over HTTP. Which saga a request belongs to comes with its headers; omega sees to that. */
@RestController
@RequestMapping("/bookings")
class HotelController {
    private final HotelDesk desk;

    HotelController(HotelDesk desk) {
        this.desk = desk;
    }

    @PostMapping
    @ResponseStatus(HttpStatus.CREATED)
    void book(@RequestBody HotelOrder order) {
        desk.book(order);
    }

    @GetMapping
    List<HotelBooking> bookings() {
        return desk.bookings();
    }
}
