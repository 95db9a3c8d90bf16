package io.alphaomega.server.turn;

import akka.dispatch.DispatcherPrerequisites;
import akka.dispatch.ExecutorServiceConfigurator;
import akka.dispatch.ExecutorServiceFactory;
import akka.dispatch.ForkJoinExecutorConfigurator;
import com.typesafe.config.Config;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** The executor of {@code akka.conf}: Akka's own pool, unless the thread that tells an actor something has its {@link Turn}. */
public final class TurnDispatching extends ExecutorServiceConfigurator {
    private final ForkJoinExecutorConfigurator pool;

    /** Made by Akka. */
    public TurnDispatching(Config config, DispatcherPrerequisites prerequisites) {
        super(config, prerequisites);
        pool = new ForkJoinExecutorConfigurator(config.getConfig("fork-join-executor"), prerequisites);
    }

    @Override
    public ExecutorServiceFactory createExecutorServiceFactory(String id, ThreadFactory threadFactory) {
        ExecutorServiceFactory factory = pool.createExecutorServiceFactory(id, threadFactory);
        return () -> new InTurn(factory.createExecutorService());
    }

    private static final class InTurn extends AbstractExecutorService {
        private final ExecutorService pool;

        InTurn(ExecutorService pool) {
            this.pool = pool;
        }

        @Override
        public void execute(Runnable run) {
            Turn.execute(run, pool);
        }

        @Override
        public void shutdown() {
            pool.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return pool.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return pool.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return pool.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return pool.awaitTermination(timeout, unit);
        }
    }
}
