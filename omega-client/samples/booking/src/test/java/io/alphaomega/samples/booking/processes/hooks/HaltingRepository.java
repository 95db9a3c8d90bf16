package io.alphaomega.samples.booking.processes.hooks;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.ForwardingSagaRepository;
import io.alphaomega.repository.SagaRepository;
import io.alphaomega.repository.Version;
import io.alphaomega.saga.SagaId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Halts alpha immediately before or after the n-th append to one saga. A saga whose first append finds an order {@code
 * before:n:id} or {@code after:n:id} takes it, if its id is not smaller: ids are ordered by time, and a begin that had
 * no answer from the alpha before may be sent again to this one.
 */
final class HaltingRepository extends ForwardingSagaRepository {
    private @Nullable Order order;

    HaltingRepository(SagaRepository store) {
        super(store);
    }

    @Override
    public List<AppendResult> append(List<Append> batch) {
        boolean haltAfter = false;
        for (Append append : batch) {
            switch (due(append)) {
                case BEFORE -> Halt.now();
                case AFTER -> haltAfter = true;
                case NOT -> {}
            }
        }
        List<AppendResult> results = super.append(batch);
        if (haltAfter) Halt.now();
        return results;
    }

    private synchronized Due due(Append append) {
        if (append.expected().equals(Version.NONE)) {
            Halt.take("append:", text -> Order.isFor(append.id(), text))
                    .ifPresent(text -> order = Order.parse(append.id(), text));
        }
        if (order == null || !order.saga.equals(append.id()) || --order.appendsLeft > 0) return Due.NOT;
        Due due = order.due;
        order = null;
        return due;
    }

    private enum Due {
        NOT,
        BEFORE,
        AFTER
    }

    private static final class Order {
        private final SagaId saga;
        private final Due due;
        private int appendsLeft;

        private Order(SagaId saga, Due due, int appendsLeft) {
            this.saga = saga;
            this.due = due;
            this.appendsLeft = appendsLeft;
        }

        static boolean isFor(SagaId saga, String text) {
            return saga.value().compareTo(text.split(":", 3)[2]) >= 0;
        }

        static Order parse(SagaId saga, String text) {
            String[] words = text.split(":", 3);
            return new Order(saga, words[0].equals("before") ? Due.BEFORE : Due.AFTER, Integer.parseInt(words[1]));
        }
    }
}
