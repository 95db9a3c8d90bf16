package io.alphaomega.omega.test;

import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.SagaEnd;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.micrometer.context.ContextExecutorService;
import io.micrometer.context.ContextSnapshotFactory;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.Consumer;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.context.event.EventListener;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.ContextPropagatingTaskDecorator;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.concurrent.ThreadPoolTaskExecutor;
import org.springframework.scheduling.concurrent.ThreadPoolTaskScheduler;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.event.TransactionalEventListener;
import reactor.core.publisher.Mono;

/** Trips parts of which are handed over to other threads and not waited for. */
@EnableAsync
@Import({AsyncTravel.Gate.class, AsyncTravel.SeatDesk.class, AsyncTravel.RoomDesk.class, AsyncTravel.Begin.class})
class AsyncTravel {
    /** Keeps tasks from running until it is opened. */
    static class Gate {
        private volatile CountDownLatch closed = new CountDownLatch(0);

        void close() {
            closed = new CountDownLatch(1);
        }

        void open() {
            closed.countDown();
        }

        void pass() {
            try {
                closed.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** Has seats, in every asynchronous way. */
    static class SeatDesk {
        private final CarDesk cars;
        private final Gate gate;

        SeatDesk(CarDesk cars, Gate gate) {
            this.cars = cars;
            this.gate = gate;
        }

        @Async("one")
        public void bookLater(String guest) {
            gate.pass();
            cars.book(guest);
        }

        @Async("one")
        @Transactional
        @Compensable(compensationMethod = "release")
        public void hold(String guest) {
            if (guest.isEmpty()) throw new IllegalArgumentException("no guest");
        }

        @Transactional
        public void release(String guest) {}

        @Async("dropping")
        public void bookPerhaps(String guest) {
            cars.book(guest);
        }

        @Async("refusing")
        public void bookIfRoom(String guest) {
            cars.book(guest);
        }

        @Async("one")
        @EventListener
        public void on(Booked event) {
            gate.pass();
            cars.book(event.guest());
        }

        @Async("one")
        @TransactionalEventListener
        public void onCommit(Paid event) {
            gate.pass();
            cars.book(event.guest());
        }
    }

    /** Has rooms elsewhere, each when its future is done. */
    static class RoomDesk {
        @Compensable(compensationMethod = "release", fenced = false)
        public CompletableFuture<String> future(CompletableFuture<String> room) {
            return room;
        }

        @Compensable(compensationMethod = "release", fenced = false)
        public Mono<String> mono(CompletableFuture<String> room) {
            return Mono.fromFuture(room);
        }

        public void release() {}
    }

    record Booked(String guest) {}

    record Paid(String guest) {}

    /** Where sagas begin. */
    static class Begin {
        private final HotelDesk hotel;
        private final ApplicationEventPublisher events;

        Begin(HotelDesk hotel, ApplicationEventPublisher events) {
            this.hotel = hotel;
            this.events = events;
        }

        @SagaStart(timeout = "1m")
        public void plain(Consumer<String> rest) {
            hotel.book("Ada");
            rest.accept("Ada");
        }

        @SagaStart(timeout = "1m")
        public CompletableFuture<String> future(Consumer<String> rest) {
            hotel.book("Ada");
            rest.accept("Ada");
            return CompletableFuture.completedFuture("done");
        }

        @SagaStart(timeout = "1m")
        public Mono<String> mono(Consumer<String> rest) {
            hotel.book("Ada");
            rest.accept("Ada");
            return Mono.just("done");
        }

        @SagaStart(timeout = "1m", propagation = SagaPropagation.NESTED)
        public void nested(Consumer<String> rest) {
            rest.accept("Ada");
        }

        @SagaStart(timeout = "1m", awaitDecision = false)
        public void notAwaited(Consumer<String> rest) {
            hotel.book("Ada");
            rest.accept("Ada");
        }

        @SagaStart(timeout = "1m", autoClose = false)
        public void leftOpen(Consumer<String> rest) {
            hotel.book("Ada");
            rest.accept("Ada");
        }

        @SagaEnd
        public void end() {}

        @SagaStart(timeout = "1m")
        public void tells(Object event) {
            events.publishEvent(event);
        }

        @Transactional
        public void pay(String guest) {
            events.publishEvent(new Paid(guest));
        }
    }

    /** As those of Spring Boot, whose decorator it has, with one thread. */
    @Bean
    ThreadPoolTaskExecutor one(ContextPropagatingTaskDecorator decorator) {
        return executor(decorator);
    }

    @Bean
    ThreadPoolTaskExecutor dropping() {
        ThreadPoolTaskExecutor executor = executor(new ContextPropagatingTaskDecorator());
        executor.setQueueCapacity(0);
        executor.setRejectedExecutionHandler(new ThreadPoolExecutor.DiscardPolicy());
        return executor;
    }

    @Bean
    ThreadPoolTaskExecutor refusing() {
        ThreadPoolTaskExecutor executor = executor(new ContextPropagatingTaskDecorator());
        executor.setQueueCapacity(0);
        return executor;
    }

    /** Has its pool before Spring has seen it, and a decorator besides. */
    @Bean
    ThreadPoolTaskExecutor refusingEarly() {
        ContextPropagatingTaskDecorator carrying = new ContextPropagatingTaskDecorator();
        ThreadPoolTaskExecutor executor = executor(task -> carrying.decorate(task));
        executor.setQueueCapacity(0);
        executor.initialize();
        return executor;
    }

    private static ThreadPoolTaskExecutor executor(TaskDecorator decorator) {
        ThreadPoolTaskExecutor executor = new ThreadPoolTaskExecutor();
        executor.setCorePoolSize(1);
        executor.setMaxPoolSize(1);
        executor.setTaskDecorator(decorator);
        return executor;
    }

    @Bean(destroyMethod = "shutdownNow")
    ExecutorService wrapped() {
        return ContextExecutorService.wrap(
                Executors.newSingleThreadExecutor(),
                () -> ContextSnapshotFactory.builder().build().captureAll());
    }

    @Bean(destroyMethod = "shutdownNow")
    ExecutorService bare() {
        return Executors.newSingleThreadExecutor();
    }

    @Bean
    ThreadPoolTaskScheduler timer(ContextPropagatingTaskDecorator decorator) {
        ThreadPoolTaskScheduler timer = new ThreadPoolTaskScheduler();
        timer.setTaskDecorator(decorator);
        return timer;
    }

    static void tomorrow(TaskScheduler timer, Runnable task) {
        Future<?> unused = timer.schedule(task, timer.getClock().instant().plus(Duration.ofDays(1)));
        Future<?> unusedToo = timer.scheduleAtFixedRate(
                task, timer.getClock().instant().plus(Duration.ofDays(1)), Duration.ofDays(1));
    }
}
