package io.alphaomega.omega.docs;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.alphaomega.omega.AfterAbort;
import io.alphaomega.omega.AfterCommit;
import io.alphaomega.omega.CallbackInterceptor;
import io.alphaomega.omega.CallbackInvocation;
import io.alphaomega.omega.CallbackOrder;
import io.alphaomega.omega.Compensable;
import io.alphaomega.omega.CompensationArgument;
import io.alphaomega.omega.Participate;
import io.alphaomega.omega.SagaDecidedEvent;
import io.alphaomega.omega.SagaPropagation;
import io.alphaomega.omega.SagaStart;
import io.alphaomega.omega.TccStart;
import io.alphaomega.omega.context.SagaContext;
import io.alphaomega.omega.redis.FencedRedis;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import org.jspecify.annotations.Nullable;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AliasFor;
import org.springframework.data.redis.core.script.RedisScript;
import org.springframework.stereotype.Component;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.publisher.Mono;

/** The code of docs/client.md and of the pages that it leads to, with what they speak of. */
@SuppressWarnings({"ClassCanBeStatic", "FutureReturnValueIgnored", "try"}) // The page does not care.
final class OfClient {
    record Order(String id) {}

    record Trip(String name) {}

    record Card(String number) {}

    record Receipt(String number) {}

    record Entry(String text) {}

    record TripOrder(int rooms) {}

    static final class NoSeatException extends RuntimeException {}

    private OfClient() {}

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @SagaStart(timeout = "30s", order = CallbackOrder.PARALLEL)
    @interface Checkout {
        @AliasFor(annotation = SagaStart.class, attribute = "businessKey")
        String about();
    }

    @SagaStart(businessKey = "#order.id", unique = true)
    public void place(Order order) {}

    @SagaStart(propagation = SagaPropagation.REQUIRED)
    public void bookInsurance(Trip trip) {}

    abstract static class Trips {
        interface Hotels {
            void book(Trip trip);
        }

        interface Rides {
            void byTrain(Trip trip);

            void byBus(Trip trip);
        }

        private final Hotels hotels;
        private final Rides rides;

        Trips(Hotels hotels, Rides rides) {
            this.hotels = hotels;
            this.rides = rides;
        }

        @SagaStart
        public void book(Trip trip) {
            hotels.book(trip);
            try {
                rides.byTrain(trip);
            } catch (NoSeatException e) { // the train is undone, the hotel is not
                rides.byBus(trip);
            }
        }

        @SagaStart(propagation = SagaPropagation.NESTED, timeout = "30s")
        public void byTrain(Trip trip) {}
    }

    @Service
    class RentalDesk {
        @Compensable(compensationMethod = "giveBack", aliases = "CarDesk.cancel")
        public void rent(String guest) {}

        public void giveBack(String guest) {}
    }

    static final class Theatre {
        private final SeatDesk seats = new SeatDesk();
        private final RentalCar car = guest -> {};

        interface RentalCar {
            void book(String guest);
        }

        @Service
        class SeatDesk {
            @Participate(confirmMethod = "sell", cancelMethod = "release", reverseRetries = 3)
            @Transactional
            public String hold(String guest, int seats) {
                return guest + seats;
            }

            @Transactional
            public void sell(String guest, int seats, String ticket) {}

            @Transactional
            public void release(String guest, int seats) {}
        }

        @Service
        class Evenings {
            @TccStart(timeout = "10m", businessKey = "#guest")
            public String plan(String guest) {
                String ticket = seats.hold(guest, 2); // @Participate
                car.book(guest); // @Compensable
                return ticket;
            }
        }
    }

    @Component
    class Letters {
        @AfterCommit("CarDesk.book")
        public void thank(String guest) {}

        @AfterAbort("CarDesk.book")
        public void apologize(String guest) {}
    }

    @EventListener
    void onDecision(SagaDecidedEvent event) {}

    @Compensable(compensationMethod = "refund")
    public Receipt charge(Order order, Card card) {
        return new Receipt(order.id() + card.number());
    }

    public void refund(@CompensationArgument("#order.id") String order, @Nullable Receipt receipt) {}

    @JsonIgnoreProperties("fax")
    public record Booking(
            String id,
            @JsonAlias("persons") int guests,
            Optional<String> wish,
            @Nullable String remark,
            @JsonProperty(defaultValue = "EUR") String currency) {}

    @Transactional("ledger")
    @Compensable(compensationMethod = "strike", fence = "ledger")
    public void enter(Entry entry) {}

    @Service
    class Stock {
        static final RedisScript<Long> TAKE = RedisScript.of("""
                local left = tonumber(redis.call('GET', KEYS[1]) or 0)
                if left < tonumber(ARGV[1]) then return redis.error_reply('SOLD_OUT ' .. left) end
                return redis.call('DECRBY', KEYS[1], ARGV[1])
                """, Long.class);

        static final RedisScript<Long> GIVE_BACK =
                RedisScript.of("return redis.call('INCRBY', KEYS[1], ARGV[1])", Long.class);

        private final FencedRedis redis; // io.alphaomega.omega.redis

        Stock(FencedRedis redis) {
            this.redis = redis;
        }

        @Compensable(compensationMethod = "giveBack", fence = "redis")
        public String take(String item, int count) {
            return item + " of " + redis.execute(TAKE, List.of("stock:" + item), count);
        }

        public void giveBack(String item, int count) {
            redis.execute(GIVE_BACK, List.of("stock:" + item), count);
        }
    }

    static final class Tenant {
        interface Scope extends AutoCloseable {
            @Override
            void close();
        }

        static String current() {
            return "acme";
        }

        static Scope open(@Nullable String tenant) {
            return () -> {};
        }
    }

    @Component
    class TenantInterceptor implements CallbackInterceptor {
        @Override
        public Map<String, String> capture() { // when a branch begins, on its thread
            return Map.of("tenant", Tenant.current());
        }

        @Override
        public void intercept(CallbackInvocation callback)
                throws Throwable { // before the callback's transaction begins
            try (Tenant.Scope scope = Tenant.open(callback.captured().get("tenant"))) {
                callback.proceed();
            }
        }
    }

    interface Cars {
        String book(Order order);
    }

    void onAnotherThread(ExecutorService thread, Cars cars, Order order) {
        SagaContext saga = SagaContext.current().orElseThrow(); // on the thread that is in the saga
        thread.submit(saga.wrap(() -> cars.book(order))); // on any other; of a Callable, too
    }

    static final class Reactive {
        private final RoomDesk desk = new RoomDesk();
        private final WebClient cars;
        private final WebClient hotel;

        Reactive(WebClient cars, WebClient hotel) {
            this.cars = cars;
            this.hotel = hotel;
        }

        @Service
        public class TripService {
            /** Its value comes only if the saga is committed. An error aborts it. */
            @SagaStart(businessKey = "#trip")
            public Mono<String> book(String trip, TripOrder order) {
                return desk.hold(trip, order.rooms())
                        .flatMap(held -> cars.post()
                                .uri("/bookings")
                                .bodyValue(order)
                                .retrieve()
                                .bodyToMono(String.class));
            }
        }

        @Service
        public class RoomDesk {
            /** No fence guards what is elsewhere: the hotel takes a hold of the same name once. */
            @Compensable(compensationMethod = "release", fenced = false)
            public Mono<String> hold(String trip, int rooms) {
                return hotel.put()
                        .uri("/holds/{trip}", trip)
                        .bodyValue(rooms)
                        .retrieve()
                        .bodyToMono(String.class);
            }

            public Mono<Void> release(String trip, int rooms) {
                return hotel.delete().uri("/holds/{trip}", trip).retrieve().bodyToMono(Void.class);
            }
        }
    }

    @Service
    public class StockDesk {
        @Transactional
        @Compensable(compensationMethod = "giveBack")
        public Mono<Receipt> take(String item) {
            return Mono.just(new Receipt(item));
        }

        public Mono<Void> giveBack(String item, @Nullable Receipt receipt) {
            return Mono.empty();
        }
    }
}
