package io.alphaomega.samples.minimal;

import io.alphaomega.omega.SagaStart;
import org.springframework.stereotype.Service;

/** Where a saga begins. Where omega is not on the class path, the JVM leaves its annotations out. */
@Service
class Greetings {
    private final Guestbook guests;

    Greetings(Guestbook guests) {
        this.guests = guests;
    }

    @SagaStart
    public String greet(String guest) {
        guests.enter(guest);
        return "Good evening, " + guest + ".";
    }
}
