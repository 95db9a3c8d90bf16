package io.alphaomega.omega.docs;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaAbortedException;
import io.alphaomega.omega.SagaOutcomeUnknownException;
import io.alphaomega.omega.SagaRepeatedException;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.context.SagaHeaders;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.amqp.rabbit.annotation.RabbitListener;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.client.RestClient;

/** The code of docs/everyday.md, with what it speaks of; its test is in the starter for tests. */
@SuppressWarnings({"ClassCanBeStatic", "UnusedMethod", "UnusedVariable"}) // The page does not care.
final class OfEveryday {
    record Order(String id) {}

    record Invoice(String id) {}

    static final class SoldOutException extends RuntimeException {
        SoldOutException(String article) {
            super(article);
        }
    }

    interface Packer {
        void pack(String order);
    }

    interface Invoices {
        List<Invoice> due();
    }

    private OfEveryday() {}

    static final class Shop {
        private final RestClient stock = RestClient.create();
        private final RestClient payment = RestClient.create();

        @Service
        class OrderService {
            @SagaStart(timeout = "30s", businessKey = "#order.id")
            public void place(Order order) {
                stock.post().uri("/reservations").body(order).retrieve().toBodilessEntity();
                payment.post().uri("/charges").body(order).retrieve().toBodilessEntity();
            }
        }

        @ExceptionHandler(SagaAbortedException.class)
        ProblemDetail aborted(SagaAbortedException aborted) {
            return ProblemDetail.forStatusAndDetail(HttpStatus.CONFLICT, aborted.getMessage());
        }

        @ExceptionHandler(SagaOutcomeUnknownException.class)
        ProblemDetail unknown(SagaOutcomeUnknownException unknown) {
            return ProblemDetail.forStatusAndDetail(
                    HttpStatus.ACCEPTED, "The order is being decided. Ask again later.");
        }

        void retried(Order order) {
            stock.post()
                    .uri("/reservations")
                    .header(SagaHeaders.KEY, order.id())
                    .body(order)
                    .retrieve()
                    .toBodilessEntity();
        }
    }

    static final class Stock {
        private final JdbcClient database;

        Stock(JdbcClient database) {
            this.database = database;
        }

        @Service
        class StockDesk {
            @Transactional
            @Compensable(compensationMethod = "release")
            public void reserve(String order, String article, int pieces) {
                int found = database.sql("update stock set free = free - ? where article = ? and free >= ?")
                        .params(pieces, article, pieces)
                        .update();
                if (found == 0) throw new SoldOutException(article);
            }

            @Transactional
            public void release(String order, String article, int pieces) {
                database.sql("update stock set free = free + ? where article = ?")
                        .params(pieces, article)
                        .update();
            }
        }
    }

    static final class Shipping {
        private final Packer packer;

        Shipping(Packer packer) {
            this.packer = packer;
        }

        @RabbitListener(queues = "shipments")
        void ship(Order order) {
            packer.pack(order.id()); // @Compensable
        }
    }

    static final class Nights {
        private static final Logger log = LoggerFactory.getLogger(Nights.class);
        private final Invoices invoices;
        private final Billing billing;

        Nights(Invoices invoices, Billing billing) {
            this.invoices = invoices;
            this.billing = billing;
        }

        @Scheduled(cron = "0 0 3 * * *")
        void everyNight() {
            for (Invoice invoice : invoices.due()) {
                try {
                    billing.bill(invoice);
                } catch (SagaRepeatedException done) {
                    log.info("Invoice {} was billed before: {}", invoice.id(), done.outcome());
                }
            }
        }
    }

    static class Billing {
        @SagaStart(businessKey = "#invoice.id", unique = true)
        public String bill(Invoice invoice) {
            return invoice.id();
        }
    }
}
