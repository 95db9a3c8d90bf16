package io.alphaomega.samples.minimal;

import io.alphaomega.omega.Compensable;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

/** A branch without a database. */
@Component
class Guestbook {
    private final Set<String> guests = ConcurrentHashMap.newKeySet();

    @Compensable(compensationMethod = "strike", fenced = false, cleanOnException = true)
    public void enter(String guest) {
        guests.add(guest);
    }

    public void strike(String guest) {
        guests.remove(guest);
    }
}
