package io.alphaomega.omega.fence;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaStart;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Mono;

/** The code of docs/external-api.md, with what it speaks of. */
final class OfExternalApi {
    private OfExternalApi() {}

    /** What has become of charges, which no rollback reaches. */
    static class Ledger {
        final Queue<String> seen = new ConcurrentLinkedQueue<>();
        volatile boolean timesOut;

        String charged(String order) {
            seen.add("charged " + order);
            if (timesOut) throw new IllegalStateException("Read timed out");
            return "receipt";
        }

        void refunded(String order) {
            seen.add("refunded " + order);
        }
    }

    interface Payments {
        void note(String order, long cents);
    }

    interface LaterPayments {
        Mono<Void> note(String order, long cents);
    }

    record Bank(Ledger ledger) {
        String charge(String order, long cents) {
            return ledger.charged(order);
        }

        void refundIfCharged(String order) {
            ledger.refunded(order);
        }
    }

    record LaterBank(Ledger ledger) {
        Mono<String> charge(String order, long cents) {
            return Mono.fromCallable(() -> ledger.charged(order));
        }

        Mono<Void> refundIfCharged(String order) {
            return Mono.fromRunnable(() -> ledger.refunded(order));
        }
    }

    static class Desk {
        private final Payments payments = (order, cents) -> {};
        private final Bank bank;

        Desk(Ledger ledger) {
            bank = new Bank(ledger);
        }

        @Transactional
        @Compensable(compensationMethod = "refund", compensateOnException = true)
        public String pay(String order, long cents) {
            payments.note(order, cents);
            return bank.charge(order, cents); // may throw, and have charged
        }

        public void refund(String order, long cents, @Nullable String receipt) {
            bank.refundIfCharged(order);
        }
    }

    static class LaterDesk {
        private final LaterPayments payments = (order, cents) -> Mono.empty();
        private final LaterBank bank;

        LaterDesk(Ledger ledger) {
            bank = new LaterBank(ledger);
        }

        @Transactional
        @Compensable(compensationMethod = "refund", compensateOnException = true)
        public Mono<String> pay(String order, long cents) {
            return payments.note(order, cents).then(bank.charge(order, cents));
        }

        public Mono<Void> refund(String order, long cents, @Nullable String receipt) {
            return bank.refundIfCharged(order);
        }
    }

    static class Announcements {
        private final Bank bank;

        Announcements(Ledger ledger) {
            bank = new Bank(ledger);
        }

        @Compensable(compensationMethod = "refund", fenced = false, cleanOnException = true)
        public void announce(String order, long cents) {}

        public void refund(String order, long cents) {
            bank.refundIfCharged(order);
        }
    }

    static class Shop {
        private final Announcements payments;
        private final Bank bank;

        Shop(Announcements payments, Ledger ledger) {
            this.payments = payments;
            bank = new Bank(ledger);
        }

        @SagaStart
        public void buy(String order, long cents) {
            payments.announce(order, cents);
            bank.charge(order, cents); // no branch: an exception aborts the saga, and the charge is refunded
        }
    }

    static class LaterAnnouncements {
        private final LaterBank bank;

        LaterAnnouncements(Ledger ledger) {
            bank = new LaterBank(ledger);
        }

        @Compensable(compensationMethod = "refund", fenced = false, cleanOnException = true)
        public Mono<Void> announce(String order, long cents) {
            return Mono.empty();
        }

        public Mono<Void> refund(String order, long cents) {
            return bank.refundIfCharged(order);
        }
    }

    static class LaterShop {
        private final LaterAnnouncements payments;
        private final LaterBank bank;

        LaterShop(LaterAnnouncements payments, Ledger ledger) {
            this.payments = payments;
            bank = new LaterBank(ledger);
        }

        @SagaStart
        public Mono<String> buy(String order, long cents) {
            return payments.announce(order, cents).then(bank.charge(order, cents));
        }
    }
}
