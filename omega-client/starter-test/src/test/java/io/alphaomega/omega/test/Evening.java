package io.alphaomega.omega.test;

import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaAbortedEvent;
import io.alphaomega.omega.SagaCommittedEvent;
import io.alphaomega.omega.SagaDecidedEvent;
import io.alphaomega.omega.TccStart;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.transaction.annotation.Transactional;

/** A service that holds seats before it sells them, and writes letters afterwards. */
@SpringBootConfiguration
@EnableAutoConfiguration
@Import({Evening.Evenings.class, Evening.SeatDesk.class, Evening.Letters.class, CarDesk.class, Ledger.class})
class Evening {

    /** Where an evening begins: a seat that is held, then a car. */
    static class Evenings {
        private final SeatDesk seats;
        private final CarDesk car;
        private final List<SagaDecidedEvent> decided = new CopyOnWriteArrayList<>();

        Evenings(SeatDesk seats, CarDesk car) {
            this.seats = seats;
            this.car = car;
        }

        @TccStart(timeout = "10m", businessKey = "#guest")
        public String plan(String guest) {
            String ticket = seats.hold(guest, 2);
            car.book(guest);
            return ticket;
        }

        @EventListener
        void committed(SagaCommittedEvent event) {
            decided.add(event);
        }

        @EventListener
        void aborted(SagaAbortedEvent event) {
            decided.add(event);
        }

        List<SagaDecidedEvent> decided() {
            return decided;
        }
    }

    /** Has seats: held first, then sold or released. */
    static class SeatDesk {
        private final Ledger ledger;

        SeatDesk(Ledger ledger) {
            this.ledger = ledger;
        }

        @Participate(confirmMethod = "sell", cancelMethod = "release", reverseRetries = 3)
        @Transactional
        public String hold(String guest, int seats) {
            ledger.add(seats + " seats held for " + guest);
            return "ticket of " + guest;
        }

        @Transactional
        public void sell(String guest, int seats, String ticket) {
            ledger.add(seats + " seats sold, " + ticket);
        }

        @Transactional
        public void release(String guest, int seats) {
            ledger.add(seats + " seats released");
        }
    }

    /** What is written when it is decided. */
    static class Letters {
        private final Ledger ledger;
        private final AtomicInteger sheetsMissing = new AtomicInteger();

        Letters(Ledger ledger) {
            this.ledger = ledger;
        }

        @AfterCommit("CarDesk.book")
        @Transactional
        public void thank(String guest) {
            write("thanks to " + guest);
        }

        @AfterAbort("CarDesk.book")
        @Transactional
        public void apologize(String guest) {
            write("apologies to " + guest);
        }

        @AfterCommit("Evening.SeatDesk.hold")
        @Transactional
        public void sendProgramme(String guest, int seats, String ticket) {
            write(seats + " programmes with the " + ticket);
        }

        private void write(String letter) {
            ledger.add(letter);
            if (sheetsMissing.getAndUpdate(missing -> Math.max(0, missing - 1)) > 0) {
                throw new IllegalStateException("no paper");
            }
        }

        void missSheets(int sheets) {
            sheetsMissing.set(sheets);
        }
    }
}
