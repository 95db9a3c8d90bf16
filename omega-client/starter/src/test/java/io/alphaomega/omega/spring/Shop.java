package io.alphaomega.omega.spring;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.Omega;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaStart;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/** What the tests run: sagas that order goods, and a table of what was ordered. */
public class Shop {
    /** What is ordered: a generic type in the arguments, and a record in the result. */
    record Item(String name, int many) {}

    record Receipt(String number, List<Item> items) {}

    static class OutOfStock extends RuntimeException {
        OutOfStock(String message) {
            super(message);
        }
    }

    static class Harmless extends RuntimeException {}

    /** The sagas. */
    public static class Counter {
        private final Orders orders;
        private final Omega omega;

        Counter(Orders orders, Omega omega) {
            this.orders = orders;
            this.omega = omega;
        }

        @SagaStart(
                timeout = "20s",
                businessKey = "'item ' + #item",
                attributes = {
                    "channel=counter",
                    "item=#{#item} of #{#item.length()}",
                    "buyer=#{#buyer}",
                    "broken=#{#item.size()}"
                })
        public String sell(String item) {
            return orders.order(List.of(new Item(item, 2)), "Ada").number();
        }

        @SagaStart
        public void run(Runnable business) {
            business.run();
        }

        @SagaStart(noAbortFor = Harmless.class)
        public void sellAllTheSame(String item) {
            sell(item, "Ada");
            throw new Harmless();
        }

        private void sell(String item, String buyer) {
            orders.order(List.of(new Item(item, 1)), buyer);
        }

        @SagaStart(awaitDecision = false)
        public void sellWithoutWaiting(String item) {
            sell(item, "Ada");
        }

        @SagaStart
        public void thinkBetterOfIt() {
            omega.abort("changed their mind");
        }

        @SagaStart(autoClose = false)
        public void open(Runnable business) {
            business.run();
        }

        @SagaEnd
        public void close() {}
    }

    /** The participant. */
    public static class Orders {
        private final AtomicInteger runs = new AtomicInteger();
        private final JdbcClient database;

        Orders(JdbcClient database) {
            this.database = database;
            database.sql("create table if not exists orders (name text, many int, state text)")
                    .update();
        }

        @Compensable(compensationMethod = "cancel")
        @Transactional
        public Receipt order(List<Item> items, String buyer) {
            runs.incrementAndGet();
            for (Item item : items) {
                insert(item.name(), item.many());
                if (item.name().equals("unicorn")) throw new OutOfStock("no unicorns left");
            }
            return new Receipt("R-" + buyer, items);
        }

        public void cancel(List<Item> items, String buyer, @Nullable Receipt receipt) {
            if (buyer.equals("stubborn")) throw new IllegalStateException("not today");
            for (Item item : items) {
                database.sql("update orders set state = ? where name = ?")
                        .params("CANCELLED " + (receipt == null ? "nothing" : receipt.number()), item.name())
                        .update();
            }
        }

        @Compensable(compensationMethod = "undo")
        public void orderWithoutTransaction(String item) {
            insert(item, 1);
            if (item.equals("unicorn")) throw new OutOfStock("no unicorns left");
        }

        @Compensable(compensationMethod = "undo", name = "hasty", forwardTimeout = "4s")
        public void orderInFourSeconds(String item) {
            insert(item, 1);
        }

        @Compensable(compensationMethod = "undo", name = "leisurely", forwardTimeout = "6m")
        public void orderInSixMinutes(String item) {
            insert(item, 1);
        }

        @Compensable(compensationMethod = "undo", name = "told")
        public String orderAndTell(String item) {
            insert(item, 1);
            return item;
        }

        @Compensable(compensationMethod = "undo", name = "first", forwardRetries = 1, forwardRetryDelay = "1ms")
        @Transactional
        public void orderAtTheFirstTry(String item) {
            insert(item, 1);
        }

        @Compensable(compensationMethod = "undo", name = "retried", forwardRetries = 2, forwardRetryDelay = "1ms")
        @Transactional
        public String orderAtTheThirdTry(String item) {
            insert(item, 1);
            if (runs.incrementAndGet() < 3) throw new OutOfStock("not yet");
            return item;
        }

        @Compensable(compensationMethod = "undo")
        @Transactional
        public void orderAndRollBack(String item) {
            insert(item, 1);
            TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
        }

        @Compensable(compensationMethod = "undo", name = "unfenced", fenced = false)
        public void orderUnfenced(String item) {
            runs.incrementAndGet();
            throw new OutOfStock(item);
        }

        @Compensable(compensationMethod = "undo", name = "clean", fenced = false, cleanOnException = true)
        public void orderCleanly(String item) {
            throw new OutOfStock(item);
        }

        @Compensable(compensationMethod = "revoke", fenced = false, cleanOnException = true)
        public String orderHugeAbroad(String item) {
            return item.repeat(100_000);
        }

        public void revoke(String item, String booked) {}

        @Compensable(compensationMethod = "undo", fenced = false, forwardRetries = 1, forwardRetryDelay = "1ms")
        public void orderUnfencedTwice(String item) {
            throw new OutOfStock(item);
        }

        @Compensable(compensationMethod = "undo", name = "huge")
        @Transactional
        public String orderHuge(String item) {
            insert("huge", 1);
            return item.repeat(100_000);
        }

        @Compensable(compensationMethod = "forget", fenced = false)
        public void within(Runnable business) {
            business.run();
        }

        public void forget() {}

        @Compensable(compensationMethod = "undo", name = "unstored", storeResult = false)
        @Transactional
        public Thread orderAndForget(String item) {
            insert(item, 1);
            return Thread.currentThread();
        }

        public void undo(String item) {
            database.sql("update orders set state = 'UNDONE' where name = ?")
                    .param(item)
                    .update();
        }

        int runs() {
            return runs.get();
        }

        List<String> all() {
            return database.sql("select name || ' ' || state from orders order by rowid")
                    .query((row, n) -> row.getString(1))
                    .list();
        }

        private void insert(String item, int many) {
            database.sql("insert into orders (name, many, state) values (?, ?, 'ORDERED')")
                    .params(item, many)
                    .update();
        }
    }
}
