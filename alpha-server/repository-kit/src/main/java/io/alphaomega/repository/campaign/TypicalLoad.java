package io.alphaomega.repository.campaign;

import io.alphaomega.repository.Append;
import io.alphaomega.repository.AppendResult;
import io.alphaomega.repository.AppendResult.Appended;
import io.alphaomega.repository.SagaRepository;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Appends of typical sagas, one batch after the other in each of some lanes, for measuring.
 *
 * @param batch how many sagas are open in each lane: a batch has an append of each
 */
public record TypicalLoad(SagaRepository repository, int batch, int lanes, int branches) {

    /** Returns how many appends there were. */
    public long during(long seconds) throws InterruptedException, ExecutionException {
        long end = System.nanoTime() + seconds * 1_000_000_000;
        return run(() -> System.nanoTime() < end);
    }

    /** So many, and those that are under way then. */
    public long appends(long wanted) throws InterruptedException, ExecutionException {
        AtomicLong left = new AtomicLong(wanted / batch);
        return run(() -> left.getAndDecrement() > 0);
    }

    private long run(BooleanSupplier goOn) throws InterruptedException, ExecutionException {
        List<FutureTask<Long>> running = new ArrayList<>();
        for (int lane = 0; lane < lanes; lane++) {
            FutureTask<Long> task = new FutureTask<>(() -> lane(goOn));
            Thread.ofPlatform().start(task);
            running.add(task);
        }
        long appends = 0;
        for (FutureTask<Long> each : running) appends += each.get();
        return appends;
    }

    private long lane(BooleanSupplier goOn) {
        long number = 0;
        List<TypicalSaga> open = new ArrayList<>();
        while (open.size() < batch) open.add(new TypicalSaga(number++, branches));
        long appends = 0;
        while (goOn.getAsBoolean()) {
            List<Append> items = open.stream().map(TypicalSaga::next).toList();
            List<AppendResult> results = repository.append(items);
            for (int i = 0; i < batch; i++) {
                TypicalSaga saga = open.get(i);
                saga.appended(((Appended) results.get(i)).version());
                if (saga.isOver()) open.set(i, new TypicalSaga(number++, branches));
            }
            appends += batch;
        }
        return appends;
    }
}
